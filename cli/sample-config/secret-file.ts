import { randomBytes } from "node:crypto";
import { lstatSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { refuseIfThere } from "../files";
import { Misuse } from "../outcome";

/** Writes a file that only its owner can read, whoever could read the one that it takes the place of. @throws Misuse. */
export function writeSecret(path: string, text: string, isForced: boolean): void {
  refuseIfThere(path, isForced);
  if (lstatSync(path, { throwIfNoEntry: false })?.isFile() === false) throw new Misuse(`${path} is no plain file`);
  const fresh = `${path}.${randomBytes(6).toString("hex")}`;
  try {
    writeFileSync(fresh, text, { flag: "wx", mode: 0o600 });
    renameSync(fresh, path);
  } catch (error) {
    rmSync(fresh, { force: true });
    throw new Misuse(`${path} can't be written (${(error as NodeJS.ErrnoException).code ?? String(error)})`);
  }
}
