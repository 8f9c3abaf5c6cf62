import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, dirname, join, resolve } from "node:path";
import { clearInterval, setInterval } from "node:timers";
import { fileURLToPath } from "node:url";

/** The checkout. */
export const root = fileURLToPath(new URL("../..", import.meta.url)).replace(/[\\/]$/, "");

/** State, passphrase and emulator data of this checkout's quickstart; git-ignored, readable by its owner only. */
const stateDir = join(root, ".frontdoor");

/** A path in the state directory, which is made when it is not there. */
export function inState(name) {
  mkdirSync(stateDir, { recursive: true, mode: 0o700 });
  return join(stateDir, name);
}

/** Where engines are kept: per user, outside node_modules, shared by all checkouts. */
export function cacheDir(env = process.env) {
  if (env.FRONTDOOR_CACHE_DIR) return resolve(env.FRONTDOOR_CACHE_DIR);
  return join(env.XDG_CACHE_HOME || join(homedir(), ".cache"), "pulumi-frontdoor");
}

/** The caller's environment without anything of the caller's own Pulumi, and with loopback kept off any proxy. */
export function withoutPulumi(env) {
  const kept = Object.fromEntries(Object.entries(env).filter(([name]) => !name.toUpperCase().startsWith("PULUMI_")));
  const noProxy = [kept.NO_PROXY ?? kept.no_proxy, "127.0.0.1", "localhost"].filter(Boolean).join(",");
  return { ...kept, NO_PROXY: noProxy, no_proxy: noProxy };
}

/** What children run in: the new-enough Node, the checkout's commands and the engine first; Pulumi's state in .frontdoor. */
export function environment({ node, engineDirs }) {
  return {
    ...withoutPulumi(process.env),
    PATH: [dirname(node), join(root, "node_modules", ".bin"), ...engineDirs, process.env.PATH].join(delimiter),
    PULUMI_HOME: inState("home"),
    // Otherwise an engine that is killed while it saves can leave an empty `.attrs` file, which keeps it from reading the state.
    PULUMI_BACKEND_URL: `file://${stateDir}?metadata=skip`,
    PULUMI_CONFIG_PASSPHRASE: secretText("passphrase"),
    PULUMI_SKIP_UPDATE_CHECK: "1",
  };
}

/** The random text kept in a file of .frontdoor that its owner alone can read; two first callers get the same one. */
export const secretText = (name) => readFileSync(secretFile(name), "utf8").trim();

/** The path of such a file, which is made if it is not there. */
export function secretFile(name) {
  const path = inState(name);
  if (!existsSync(path)) {
    const fresh = `${path}.${process.pid}`;
    writeFileSync(fresh, randomBytes(24).toString("base64url"), { mode: 0o600 });
    try {
      linkSync(fresh, path);
    } catch (error) {
      if (error.code !== "EEXIST") throw error;
    } finally {
      rmSync(fresh, { force: true });
    }
  }
  return path;
}

/** Whether text such as "v3.213.0" or "24.1.0-rc.1" names a version not below the oldest one; false for any other text. */
export function atLeast(text, oldest) {
  const found = /^v?(\d+)\.(\d+)\.(\d+)/.exec(text.trim());
  if (!found) return false;
  const wanted = oldest.split(".").map(Number);
  const parts = found.slice(1).map(Number);
  const differing = parts.findIndex((part, at) => part !== wanted[at]);
  return differing === -1 || parts[differing] > wanted[differing];
}

const heartbeatSeconds = 10;

/** What a user can do something about: shown without a stack. */
export class SetUpError extends Error {}

const elapsed = (startedMs) => `${((Date.now() - startedMs) / 1000).toFixed(1)} s`;

/** Runs one long step with a line at its start, a sign of life every ten seconds and a line at its end. */
export async function step(title, work) {
  const startedMs = Date.now();
  console.error(`${title} …`);
  const heartbeat = setInterval(() => console.error(`  still at it, ${elapsed(startedMs)}`), heartbeatSeconds * 1000);
  try {
    const result = await work();
    console.error(`  done in ${elapsed(startedMs)}`);
    return result;
  } finally {
    clearInterval(heartbeat);
  }
}

/** Runs a command and keeps its output to itself; when it fails, the error ends with what it said, its middle cut out. */
export function run(command, args, { cwd, env = process.env, input } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, env, stdio: [input === undefined ? "ignore" : "pipe", "pipe", "pipe"] });
    let stdout = "";
    let said = "";
    child.stdout.on("data", (chunk) => ((stdout += chunk), (said += chunk)));
    child.stderr.on("data", (chunk) => (said += chunk));
    child.on("error", (error) => reject(new SetUpError(`${command} cannot be started: ${error.message}`)));
    child.on("close", (code, signal) => {
      if (code === 0) return resolve(stdout);
      const what = [command, ...args.slice(0, 2)].join(" ");
      reject(new SetUpError(`${what} failed (${signal ?? `exit code ${code}`}):\n${shorten(said)}`));
    });
    if (input !== undefined) child.stdin.end(input);
  });
}

function shorten(text) {
  const lines = text
    .trimEnd()
    .split("\n")
    .filter((line) => !line.startsWith("npm warn"));
  return (lines.length <= 40 ? lines : [...lines.slice(0, 20), "…", ...lines.slice(-20)]).join("\n");
}

/** Runs a script's main function; its failure becomes text on stderr and exit code 1. */
export async function runMain(main) {
  try {
    process.exitCode = (await main()) ?? 0;
  } catch (error) {
    console.error(error instanceof SetUpError ? `\nerror: ${error.message}` : error);
    process.exitCode = 1;
  }
}
