import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import {
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { homedir } from "node:os";
import { basename, delimiter, dirname, join, resolve } from "node:path";
import { clearInterval, setInterval } from "node:timers";
import { setTimeout as sleep } from "node:timers/promises";
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
  const [, version] = /^v?(\d+\.\d+\.\d+)/.exec(text.trim()) ?? [];
  return version !== undefined && version.localeCompare(oldest, "en", { numeric: true }) >= 0;
}

const firstBeatMs = 10_000;

/** What a user can do something about: shown without a stack. */
export class SetUpError extends Error {}

const elapsed = (startedMs) => `${((Date.now() - startedMs) / 1000).toFixed(1)} s`;

/** Runs one long step with a line at its start, a sign of life after 10, 20, 40 … seconds, and a line at its end. */
export async function step(title, work) {
  const startedMs = Date.now();
  console.error(`${title} …`);
  let beat;
  const beatAfter = (ms) => {
    beat = setTimeout(() => {
      console.error(`  ${title}: still at it, ${elapsed(startedMs)}`);
      beatAfter(Date.now() - startedMs);
    }, ms);
  };
  beatAfter(firstBeatMs);
  try {
    const result = await work();
    console.error(`  ${title}: done in ${elapsed(startedMs)}`);
    return result;
  } finally {
    clearTimeout(beat);
  }
}

/** Runs a command and keeps its output to itself; when it fails, the error ends with its output, without the middle. */
export function run(command, args, { cwd, env = process.env, input } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, env, stdio: [input === undefined ? "ignore" : "pipe", "pipe", "pipe"] });
    let stdout = "";
    let output = "";
    child.stdout.on("data", (chunk) => ((stdout += chunk), (output += chunk)));
    child.stderr.on("data", (chunk) => (output += chunk));
    child.on("error", (error) => reject(new SetUpError(`${command} cannot be started: ${error.message}`)));
    child.on("close", (code, signal) => {
      if (code === 0) return resolve(stdout);
      const what = [command, ...args.slice(0, 2)].join(" ");
      reject(new SetUpError(`${what} failed (${signal ?? `exit code ${code}`}):\n${shorten(output)}`));
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

const beatMs = 2000;
const abandonedMs = 20_000;
const pollMs = 250;

/**
 * Runs the work while no other process of this machine holds the same lock. A holder shows that it lives by touching the
 * lock, so one that was killed blocks others for twenty seconds at most.
 */
export async function withLock(path, work) {
  // The cache of compiled code lies in the same folder, and is used only if nobody else may write there.
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  for (let isAnnounced = false; !acquire(path); await sleep(pollMs)) {
    if (!isAnnounced) console.error("Waiting for another run in this checkout or cache to finish …");
    isAnnounced = true;
  }
  const release = () => rmSync(path, { recursive: true, force: true });
  const leave = (signal) => {
    // Whoever else listens ends the work in order, and with it the lock.
    if (process.listenerCount(signal) > 0) return;
    release();
    process.exit(130);
  };
  const beat = setInterval(() => touch(path), beatMs);
  process.once("SIGINT", leave).once("SIGTERM", leave);
  try {
    return await work();
  } finally {
    clearInterval(beat);
    process.off("SIGINT", leave).off("SIGTERM", leave);
    release();
  }
}

function acquire(path) {
  try {
    mkdirSync(path);
    return true;
  } catch (error) {
    if (error.code !== "EEXIST") throw error;
  }
  const age = ageMs(path);
  if (age !== undefined && age > abandonedMs) rmSync(path, { recursive: true, force: true });
  return false;
}

function ageMs(path) {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat && Date.now() - stat.mtimeMs;
}

function touch(path) {
  try {
    utimesSync(path, new Date(), new Date());
  } catch {
    // Someone took it for abandoned; what the work makes is put in place by a rename, so nothing breaks.
  }
}

const leftOverMs = 3_600_000;

/** A fresh directory beside the one that is to come. What a killed run left there an hour ago or longer is removed. */
export function workDir(into) {
  mkdirSync(dirname(into), { recursive: true });
  for (const name of readdirSync(dirname(into)).filter((each) => each.startsWith(`${basename(into)}.`))) {
    const path = join(dirname(into), name);
    const stat = statSync(path, { throwIfNoEntry: false });
    if (stat && Date.now() - stat.mtimeMs > leftOverMs) rmSync(path, { recursive: true, force: true });
  }
  return mkdtempSync(`${into}.`);
}

/** Puts a finished directory in its place by one rename; when another process was quicker, that one's stays. */
export function publish(finished, into) {
  try {
    renameSync(finished, into);
  } catch (error) {
    if (!existsSync(into)) throw error;
    rmSync(finished, { recursive: true, force: true });
  }
}
