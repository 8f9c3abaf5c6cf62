import { accessSync, constants, statSync } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";

/**
 * The absolute path of a program in a folder of PATH, undefined if there is none. A program in the current folder does not count:
 * Windows would start that one first, and PATH can name that folder by an empty or a relative entry.
 */
export function onPath(program: string): string | undefined {
  const file = process.platform === "win32" ? `${program}.exe` : program;
  const folders = (process.env["PATH"] ?? "").split(delimiter).filter((folder) => isAbsolute(folder));
  return folders.map((folder) => join(folder, file)).find(isProgram);
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
