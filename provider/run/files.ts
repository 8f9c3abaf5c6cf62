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
  realpathSync,
  renameSync,
  rmSync,
  type Stats,
  writeSync,
} from "node:fs";
import { homedir, tmpdir, userInfo } from "node:os";
import { dirname, join, sep } from "node:path";
import { hashOf, type RecordStore } from "./creation-records";

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

  remove(file: string): void {
    if (isThere(this.levels)) rmSync(join(this.path, file), { force: true });
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

/** The folder of this user's state: FRONTDOOR_STATE_DIR, else the platform's own place (contract: Configuration). */
export function stateFolder(env: NodeJS.ProcessEnv, platform = process.platform): string {
  const { FRONTDOOR_STATE_DIR: own, XDG_STATE_HOME: xdg, LOCALAPPDATA: local } = env;
  if (own) return own;
  if (xdg) return join(xdg, "frontdoor");
  if (platform === "win32" && local) return join(local, "frontdoor");
  return platform === "darwin"
    ? join(homedir(), "Library", "Application Support", "frontdoor")
    : join(homedir(), ".local", "state", "frontdoor");
}

/** Returns a function that passes on only the first line. */
export function sayOnce(say: (line: string) => void): (line: string) => void {
  let isSaid = false;
  return (line) => {
    if (!isSaid) say(line);
    isSaid = true;
  };
}

/** Returns a function that does the work. If it throws, the result is `otherwise`, and `tell` gets the error. */
const tries =
  (tell: (error: unknown) => void) =>
  <T>(work: () => T, otherwise: T): T => {
    try {
      return work();
    } catch (error) {
      tell(error);
      return otherwise;
    }
  };

/** Stores records as files that only their owner can read. If a file cannot be used, `say` shows why, and the run continues without it. */
export function recordFiles(folder: OwnFolder, say: (line: string) => void): RecordStore {
  const tried = tries((error) => {
    say(error instanceof UnsafePath ? unsafe(error) : unwritable(folder, error as NodeJS.ErrnoException));
  });
  const fileOf = (key: string) => `${key}.json`;
  return {
    read() {
      const files = tried(() => folder.files(), []).filter((file) => file.endsWith(".json"));
      return files.map((file) => [file.slice(0, -5), tried(() => folder.read(file), "") ?? ""]);
    },
    write(key, text) {
      tried(() => {
        folder.write(fileOf(key), text);
      }, undefined);
    },
    remove(key) {
      tried(() => {
        folder.remove(fileOf(key));
      }, undefined);
    },
  };
}

const notResumed = "a later run cannot resume its creates";

const unwritable = ({ path }: OwnFolder, { code = "unknown" }: NodeJS.ErrnoException): string =>
  `frontdoor: the provider cannot write creation records to ${path} (${code}). The run continues, but ${notResumed}. Set FRONTDOOR_STATE_DIR to a folder that you can write to. [records-not-kept]`;

/** Returns the message about a folder or a file that another user can change. */
const unsafe = ({ message }: UnsafePath): string =>
  `frontdoor: ${message}, so the provider keeps no files there. The run continues, but ${notResumed}. Set FRONTDOOR_STATE_DIR to a folder that only you can write to. [unsafe-state-folder]`;

/** Returns the folder of the records of one project folder and back end on one service. All temporary folders count as one project folder. */
export const recordFolder = (baseUrl: string, env: NodeJS.ProcessEnv, folder = process.cwd()): OwnFolder =>
  new OwnFolder(stateFolder(env), "creates", hashOf([baseUrl, projectFolder(folder), backendOf(env)]));

/** Returns the folder of a program, in which the engine runs, or "" for a temporary one: without `workDir`, the Automation API makes a new one for each stack object. */
function projectFolder(folder: string): string {
  const temporary = existsSync(tmpdir()) ? realpathSync(tmpdir()) : tmpdir();
  return folder.startsWith(join(temporary, sep)) ? "" : folder;
}

/** Returns the address of the engine's back end: two back ends can have stacks of the same name. */
function backendOf(env: NodeJS.ProcessEnv): string {
  const { PULUMI_BACKEND_URL: given } = env;
  if (given) return given;
  try {
    const text = readFileSync(join(pulumiHome(env), "credentials.json"), "utf8");
    const { current } = JSON.parse(text) as { current?: unknown };
    return typeof current === "string" ? current : "";
  } catch {
    return "";
  }
}

/** Returns the folder of Pulumi's own files. Like Pulumi, it prefers the home folder of the user database to HOME. */
export function pulumiHome({ PULUMI_HOME: given }: NodeJS.ProcessEnv): string {
  if (given) return given;
  return join(ownHome(), ".pulumi");
}

function ownHome(): string {
  try {
    return userInfo().homedir;
  } catch {
    // The user database lacks this user, as in some containers.
    return homedir();
  }
}
