import { chmodSync, closeSync, lstatSync, mkdirSync, openSync } from "node:fs";
import { dirname } from "node:path";

/** SQLite reads and writes these files beside a data file. */
const suffixes = ["", "-wal", "-shm", "-journal"];

/** Makes the data file if it is missing, with its folder. The file can be read by its owner only before anything is in it. */
export function makeDataFile(file: string): void {
  mkdirSync(dirname(file), { recursive: true });
  if (lstatSync(file, { throwIfNoEntry: false })) return;
  // Fails if another user plants a link at this moment.
  closeSync(openSync(file, "ax", 0o600));
}

/** Closes the data file and the files beside it to other users. @throws Error if one of them is a link or another user's. */
export function protectDataFile(file: string): void {
  for (const path of suffixes.map((suffix) => file + suffix)) {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (!stats) continue;
    if (stats.isSymbolicLink()) throw unsafe(`${path} is a symbolic link`);
    if (!stats.isFile()) throw unsafe(`${path} is not a file`);
    if (process.geteuid && stats.uid !== process.geteuid()) throw unsafe(`${path} belongs to another user`);
    if ((stats.mode & 0o077) !== 0) chmodSync(path, 0o600);
  }
}

const unsafe = (what: string) =>
  new Error(`${what}. The emulator did not start. Name a file in a folder of your own. [unsafe-data-file]`);
