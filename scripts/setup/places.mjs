import { mkdirSync } from "node:fs";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

/** The checkout. */
export const root = fileURLToPath(new URL("../..", import.meta.url)).replace(/[\\/]$/, "");

/** State, passphrase and emulator data of this checkout's quickstart; git-ignored, readable by its owner only. */
export const stateDir = join(root, ".frontdoor");

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
