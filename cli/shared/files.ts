import { randomBytes } from "node:crypto";
import {
  accessSync,
  chmodSync,
  constants,
  lstatSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { delimiter, isAbsolute, join } from "node:path";
import { textIn } from "../../provider/text";
import type { Io } from "./io";
import { packageFolder } from "./node-version";
import { Misuse } from "./outcome";

/** Returns the error code of the system, such as `ENOENT`. */
const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? String(error);

/** Returns the text of a file. @throws Misuse if the file can't be read. */
export function readText({ pathOf }: Pick<Io, "pathOf">, path: string): string {
  try {
    return textIn(readFileSync(pathOf(path)));
  } catch (error) {
    throw new Misuse(`${path} can't be read (${codeOf(error)}). Name a file that you can read. [file-unreadable]`);
  }
}

/** Refuses a symbolic link, a folder and a device, and without `isForced` also a file. @throws Misuse. */
export function checkWritable({ pathOf }: Pick<Io, "pathOf">, path: string, isForced: boolean): void {
  const there = lstatSync(pathOf(path), { throwIfNoEntry: false });
  if (there?.isFile() === false)
    throw new Misuse(
      `${path} is a symbolic link, a folder or a device, so nothing was written. Name a plain file. [not-a-plain-file]`,
    );
  if (there && !isForced) throw new Misuse(`${path} exists already. To replace it, add --force. [file-exists]`);
}

interface Writing {
  isForced: boolean;
  /** Without a mode, a file that is replaced keeps its own. */
  mode?: number;
}

/**
 * Writes a new file. With `isForced` it replaces a file. It never writes through a link. @throws Misuse.
 */
export function writeText(io: Pick<Io, "pathOf">, path: string, text: string, { isForced, mode }: Writing): void {
  checkWritable(io, path, isForced);
  const file = io.pathOf(path);
  const fresh = isForced ? `${file}.${randomBytes(6).toString("hex")}` : file;
  try {
    const previous = lstatSync(file, { throwIfNoEntry: false });
    const kept = previous && mode === undefined ? previous.mode & 0o777 : undefined;
    writeFileSync(fresh, text, { flag: "wx", mode: mode ?? kept ?? 0o666 });
    // The umask does not count for a file that was there.
    if (kept !== undefined) chmodSync(fresh, kept);
    if (isForced) renameSync(fresh, file);
  } catch (error) {
    // Another process's file stays, a part of this one does not: it can hold a key.
    if (codeOf(error) !== "EEXIST") rmSync(fresh, { force: true });
    throw new Misuse(
      `${path} can't be written (${codeOf(error)}). Name a file that you can write to. [file-not-written]`,
    );
  }
}

const toStandardOutput = "-";
/** The mode of a file with a key. */
export const onlyOwner = 0o600;

/** Returns true if a configuration with the key goes to standard output. @throws Misuse if it may go nowhere. */
export function checkSecretOut(io: Io, what: string, out: string | undefined, isForced: boolean): boolean {
  const isPrinted = out === toStandardOutput || (out === undefined && isForced);
  if (out !== undefined && !isPrinted) checkWritable(io, out, isForced);
  if (out === undefined && !isPrinted)
    throw new Misuse(
      `the ${what} holds the pre-shared key, so it was not printed. Name a file with --out FILE. [key-not-printed]`,
    );
  return isPrinted;
}

/**
 * The absolute path of a program in a folder of PATH, undefined if there is none. A program in the current folder does not count:
 * Windows would start that one first, and PATH can name that folder by an empty or a relative entry.
 */
export function onPath({ PATH = "" }: NodeJS.ProcessEnv, program: string): string | undefined {
  const file = process.platform === "win32" ? `${program}.exe` : program;
  const folders = PATH.split(delimiter).filter((folder) => isAbsolute(folder));
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

/** The page's static files, which the emulator also serves. */
export const pageFolder = join(packageFolder, "cli", "dashboard", "page");
/** The templates of `device-config`, one file a device. */
export const devicesFolder = join(packageFolder, "cli", "devices");

/** The pages, which travel in the package. */
export const docsFolder = join(packageFolder, "docs");

const load = createRequire(__filename);

/** Loads the emulator from its own file: the command shares no code with it (scripts/bundle.mjs). */
export const emulatorFile = (): unknown => load(join(__dirname, "cli-emulator.js"));
