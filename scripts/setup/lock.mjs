import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync, utimesSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { clearInterval, setInterval } from "node:timers";
import { setTimeout as sleep } from "node:timers/promises";

const beatMs = 2000;
const abandonedMs = 20_000;
const lookMs = 250;

/**
 * Runs the work while no other process of this machine holds the same lock. A holder shows that it lives by touching the
 * lock, so one that was killed blocks others for twenty seconds at most.
 */
export async function withLock(path, work) {
  // The cache of compiled code lies in the same folder, and is used only if nobody else may write there.
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  for (let told = false; !take(path); await sleep(lookMs)) {
    if (!told) console.error("Waiting for another run in this checkout or cache to finish …");
    told = true;
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

function take(path) {
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
