import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { Misuse } from "./outcome";

/** What the system says of a file, such as `ENOENT`. */
const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? String(error);

/** @throws Misuse where it can't be read. */
export function readText(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw new Misuse(`${path} can't be read (${codeOf(error)})`);
  }
}

/** @throws Misuse where something is there that may not be overwritten. */
export function refuseIfThere(path: string, isForced: boolean): void {
  if (!isForced && existsSync(path)) throw new Misuse(`${path} is there already: name another file, or add --force`);
}

/** @throws Misuse where it can't be written, or is there and may not be overwritten. */
export function writeText(path: string, text: string, isForced: boolean): void {
  refuseIfThere(path, isForced);
  try {
    writeFileSync(path, text, { flag: isForced ? "w" : "wx" });
  } catch (error) {
    throw new Misuse(`${path} can't be written (${codeOf(error)})`);
  }
}
