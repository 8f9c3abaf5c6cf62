import { mkdirSync, rmSync, statSync, utimesSync } from "node:fs";
import { clearInterval, setInterval } from "node:timers";
import { dirname } from "node:path";
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
