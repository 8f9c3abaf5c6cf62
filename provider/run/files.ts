import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { homedir, tmpdir, userInfo } from "node:os";
import { dirname, join, sep } from "node:path";
import { hashOf, type RecordStore } from "./creation-records";

/** A folder of the user's state, made when the first file is written, and its files. Only the user can read them. @throws the error of the file system. */
export class OwnFolder {
  readonly path: string;

  constructor(root: string, ...names: string[]) {
    this.path = join(root, ...names);
  }

  /** Returns the names of the files, or none if there is no folder. */
  files(): string[] {
    return existsSync(this.path) ? readdirSync(this.path) : [];
  }

  /** Returns the text of a file, or undefined if there is none. */
  read(file: string): string | undefined {
    try {
      return readFileSync(join(this.path, file), "utf8");
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
      throw error;
    }
  }

  /** Replaces the whole file at once. */
  write(file: string, text: string): void {
    makeFolder(this.path);
    const fresh = join(this.path, `${file}.${process.pid}`);
    // A process of the same number may have been killed while it wrote. A file that is made anew is no symbolic link.
    rmSync(fresh, { force: true });
    writeFileSync(fresh, text, { flag: "wx", mode: 0o600 });
    renameSync(fresh, join(this.path, file));
  }

  remove(file: string): void {
    rmSync(join(this.path, file), { force: true });
  }
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
    say(notKept(folder, error as NodeJS.ErrnoException));
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

const notKept = ({ path }: OwnFolder, { code = "unknown" }: NodeJS.ErrnoException): string =>
  `frontdoor: the provider cannot keep creation records in ${path} (${code}). The run continues, but a later run cannot resume its creates. Set FRONTDOOR_STATE_DIR to a folder that you can write to. [records-not-kept]`;

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
