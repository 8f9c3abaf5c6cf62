import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";

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
