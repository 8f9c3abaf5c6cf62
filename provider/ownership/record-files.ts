import { existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { hashOf, type RecordStore } from "./creates";

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

/** Records as files that their owner alone can read. Where they can't be kept, that is said once. */
export function recordFiles(folder: string, say: (line: string) => void): RecordStore {
  let isSaid = false;
  const tried = <T>(work: () => T, otherwise: T): T => {
    try {
      return work();
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (!isSaid) {
        isSaid = true;
        const what = `frontdoor: no record of unfinished creates can be kept in ${folder} (${code ?? "unknown"})`;
        say(`${what}: what an interrupted run leaves has to be adopted; FRONTDOOR_STATE_DIR names another folder`);
      }
      return otherwise;
    }
  };
  const pathOf = (key: string) => join(folder, `${key}.json`);
  return {
    read() {
      if (!existsSync(folder)) return [];
      const files = tried(() => readdirSync(folder), []).filter((file) => file.endsWith(".json"));
      // Another process can have removed one meanwhile.
      const textOf = (path: string) => (existsSync(path) ? readFileSync(path, "utf8") : "");
      return files.map((file) => [file.slice(0, -5), tried(() => textOf(join(folder, file)), "")]);
    },
    write(key, text) {
      tried(() => {
        makeFolder(folder);
        const fresh = `${pathOf(key)}.${process.pid}`;
        writeFileSync(fresh, text, { mode: 0o600 });
        renameSync(fresh, pathOf(key));
      }, undefined);
    },
    remove(key) {
      tried(() => {
        rmSync(pathOf(key), { force: true });
      }, undefined);
    },
  };
}

/** Makes a folder that its owner alone can read, and those above it; not by mkdir's own recursion, which never ends where the system says that a folder to be made is not there (in /proc). */
export function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  makeFolder(dirname(folder));
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Another process may have made it meanwhile.
    if (!existsSync(folder)) throw error;
  }
}

/** The records of one project folder and back end on one service. */
export const recordFolder = (baseUrl: string, env: NodeJS.ProcessEnv): string =>
  join(stateFolder(env), "creates", hashOf([baseUrl, process.cwd(), backendOf(env)]));

/** What the provider processes of the run of this engine hold. */
export const runFolder = (engine: string, env: NodeJS.ProcessEnv): string =>
  join(stateFolder(env), "runs", hashOf([engine, process.cwd()]));

/** The address of the engine's back end: stacks of the same name on two of them are two stacks. */
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
