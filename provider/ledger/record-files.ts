import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { hashOf, type RecordStore } from "./creation-records";
import { OwnFolder, UnsafePath } from "./own-folder";

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

/** Stores records as files that only their owner can read. If a file cannot be used, `say` shows why, and the run continues without it. */
export function recordFiles(folder: OwnFolder, say: (line: string) => void): RecordStore {
  const tried = <T>(work: () => T, otherwise: T): T => {
    try {
      return work();
    } catch (error) {
      say(error instanceof UnsafePath ? unsafe(error) : unwritable(folder, error as NodeJS.ErrnoException));
      return otherwise;
    }
  };
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

const unwritable = ({ path }: OwnFolder, { code = "unknown" }: NodeJS.ErrnoException): string =>
  `frontdoor: the provider cannot write creation records to ${path} (${code}). The run continues, but a later run cannot resume its creates. Set FRONTDOOR_STATE_DIR to a folder that you can write to. [records-not-kept]`;

/** Returns the message about a folder or a file that another user can change. */
export const unsafe = ({ message }: UnsafePath): string =>
  `frontdoor: ${message}, so the provider keeps no files there. The run continues, but a later run cannot resume its creates. Set FRONTDOOR_STATE_DIR to a folder that only you can write to. [unsafe-state-folder]`;

/** Returns the folder of the records of one project folder and back end on one service. */
export const recordFolder = (baseUrl: string, env: NodeJS.ProcessEnv): OwnFolder =>
  new OwnFolder(stateFolder(env), "creates", hashOf([baseUrl, process.cwd(), backendOf(env)]));

/** Returns the folder of the ids that the provider processes of this run own. */
export const runFolder = (engine: string, env: NodeJS.ProcessEnv): OwnFolder =>
  new OwnFolder(stateFolder(env), "runs", hashOf([engine, process.cwd()]));

/** Returns the address of the engine's back end: two back ends can have stacks of the same name. */
function backendOf(env: NodeJS.ProcessEnv): string {
  const { PULUMI_BACKEND_URL: given, PULUMI_HOME: home = join(homedir(), ".pulumi") } = env;
  if (given) return given;
  try {
    const { current } = JSON.parse(readFileSync(join(home, "credentials.json"), "utf8")) as { current?: unknown };
    return typeof current === "string" ? current : "";
  } catch {
    return "";
  }
}
