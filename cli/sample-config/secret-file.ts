import { randomBytes } from "node:crypto";
import { lstatSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { refuseIfThere } from "../files";
import { Misuse } from "../outcome";

/** Refuses a path whose file may not be overwritten, and a symbolic link or device. @throws Misuse. */
export function checkSecretFile(path: string, isForced: boolean): void {
  if (lstatSync(path, { throwIfNoEntry: false })?.isFile() === false)
    throw new Misuse(
      `${path} is a symbolic link, a folder or a device, so nothing was written. Name a plain file. [not-a-plain-file]`,
    );
  refuseIfThere(path, isForced);
}

/** Writes a file that only its owner can read, also in place of a file with another mode. @throws Misuse. */
export function writeSecret(path: string, text: string, isForced: boolean): void {
  checkSecretFile(path, isForced);
  const fresh = `${path}.${randomBytes(6).toString("hex")}`;
  try {
    writeFileSync(fresh, text, { flag: "wx", mode: 0o600 });
    renameSync(fresh, path);
  } catch (error) {
    rmSync(fresh, { force: true });
    throw new Misuse(`${path} can't be written (${(error as NodeJS.ErrnoException).code ?? String(error)})`);
  }
}
