import { randomBytes } from "node:crypto";
import { lstatSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { Misuse } from "./outcome";

/** Returns the error code of the system, such as `ENOENT`. */
const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? String(error);

/** Returns the text of a file. @throws Misuse if the file can't be read. */
export function readText(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw new Misuse(`${path} can't be read (${codeOf(error)}). Name a file that you can read. [file-unreadable]`);
  }
}

/** Refuses a symbolic link, a folder and a device, and without `isForced` also a file. @throws Misuse. */
export function checkWritable(path: string, isForced: boolean): void {
  const there = lstatSync(path, { throwIfNoEntry: false });
  if (there?.isFile() === false)
    throw new Misuse(
      `${path} is a symbolic link, a folder or a device, so nothing was written. Name a plain file. [not-a-plain-file]`,
    );
  if (there && !isForced) throw new Misuse(`${path} exists already. To replace it, add --force. [file-exists]`);
}

/**
 * Writes a new file. With `isForced` it replaces a file and keeps that file's mode, unless a mode is given. It never writes through a
 * link. @throws Misuse.
 */
export function writeText(path: string, text: string, isForced: boolean, mode?: number): void {
  checkWritable(path, isForced);
  const fresh = isForced ? `${path}.${randomBytes(6).toString("hex")}` : path;
  try {
    const previous = lstatSync(path, { throwIfNoEntry: false });
    writeFileSync(fresh, text, { flag: "wx", mode: mode ?? (previous ? previous.mode & 0o777 : 0o666) });
    if (isForced) renameSync(fresh, path);
  } catch (error) {
    if (isForced) rmSync(fresh, { force: true });
    throw new Misuse(
      `${path} can't be written (${codeOf(error)}). Name a file that you can write to. [file-not-written]`,
    );
  }
}
