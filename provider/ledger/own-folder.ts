import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  type Stats,
  writeSync,
} from "node:fs";
import { dirname, join } from "node:path";

/** Another user can change a folder or a file of this user's state. The message names the path and the reason. */
export class UnsafePath extends Error {}

/** Undefined on Windows, as is the user id: there the access list of the user's profile protects the folder. */
const { O_NOFOLLOW = 0 } = constants as Partial<typeof constants>;
const user = process.geteuid?.();

/**
 * A folder of the user's state, made when the first file is written, and its files. Nothing is read or written through a symbolic link,
 * or if the folder, the file, or a folder between it and `root` belongs to another user or is writable by others.
 *
 * @throws UnsafePath, or the error of the file system.
 */
export class OwnFolder {
  readonly path: string;
  /** The folders from the root down. */
  private readonly levels: string[];

  constructor(root: string, ...names: string[]) {
    this.levels = [root, ...names.map((_, index) => join(root, ...names.slice(0, index + 1)))];
    this.path = join(root, ...names);
  }

  /** Returns the names of the files, or none if there is no folder. */
  files(): string[] {
    return isThere(this.levels) ? readdirSync(this.path) : [];
  }

  /** Returns the text of a file, or undefined if another process has removed the file. */
  read(file: string): string | undefined {
    if (!isThere(this.levels)) return undefined;
    try {
      return this.opened(file, constants.O_RDONLY, (handle) => readFileSync(handle, "utf8"));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
      throw error;
    }
  }

  /** Replaces the whole file at once. */
  write(file: string, text: string): void {
    make(this.levels);
    const fresh = `${file}.${process.pid}`;
    // A process of the same number may have been killed while it wrote.
    rmSync(join(this.path, fresh), { force: true });
    this.opened(fresh, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, (handle) => writeSync(handle, text));
    renameSync(join(this.path, fresh), join(this.path, file));
  }

  append(file: string, text: string): void {
    make(this.levels);
    this.opened(file, constants.O_WRONLY | constants.O_CREAT | constants.O_APPEND, (handle) => writeSync(handle, text));
  }

  remove(file: string): void {
    if (isThere(this.levels)) rmSync(join(this.path, file), { force: true });
  }

  /** Removes the folder and all in it. */
  removeAll(): void {
    if (isThere(this.levels)) rmSync(this.path, { recursive: true, force: true });
  }

  private opened<Result>(file: string, flags: number, use: (handle: number) => Result): Result {
    const path = join(this.path, file);
    const handle = openedAs(path, flags);
    try {
      checkOwn(path, fstatSync(handle));
      return use(handle);
    } finally {
      closeSync(handle);
    }
  }
}

/** True if all these folders exist. @throws UnsafePath. */
function isThere(levels: string[]): boolean {
  for (const level of levels) {
    const stats = lstatSync(level, { throwIfNoEntry: false });
    if (!stats) return false;
    checkOwn(level, stats);
  }
  return true;
}

/** Makes these folders. @throws UnsafePath. */
function make(levels: string[]): void {
  for (const level of levels) {
    makeFolder(level);
    checkOwn(level, lstatSync(level));
  }
}

function openedAs(path: string, flags: number): number {
  try {
    return openSync(path, flags | O_NOFOLLOW, 0o600);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ELOOP") throw new UnsafePath(`${path} is a symbolic link`);
    throw error;
  }
}

/** Checks that only this user can change the path. @throws UnsafePath. */
function checkOwn(path: string, stats: Stats): void {
  if (stats.isSymbolicLink()) throw new UnsafePath(`${path} is a symbolic link`);
  if (user === undefined) return;
  if (stats.uid !== user) throw new UnsafePath(`${path} belongs to another user`);
  if ((stats.mode & 0o022) !== 0) throw new UnsafePath(`${path} is writable by other users`);
}

/** Makes a folder that only its owner can read, and those above it. The `recursive` option of mkdir never ends for a path in /proc. */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  makeFolder(dirname(folder));
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Another process may have made it meanwhile.
    if (!existsSync(folder)) throw error;
  }
}
