/* global process, require */
// Turns on Node's compile cache. Node runs what the cache holds, so only this user may be able to write to it; else there is none.
const { lstatSync, mkdirSync, readdirSync, realpathSync } = require("node:fs");
const { enableCompileCache, getCompileCacheDir } = require("node:module");
const { homedir } = require("node:os");
const { dirname, isAbsolute, join } = require("node:path");

const { platform, env } = process;
const isWindows = platform === "win32";

function userCache() {
  if (isAbsolute(env.XDG_CACHE_HOME ?? "")) return env.XDG_CACHE_HOME;
  if (isWindows) return env.LOCALAPPDATA ?? join(homedir(), "AppData", "Local");
  return join(homedir(), ...(platform === "darwin" ? ["Library", "Caches"] : [".cache"]));
}

/** True for a folder, not a link, that this user owns and nobody else may write to. Windows' own rights keep others out there. */
function isPrivate(path) {
  const stat = lstatSync(path);
  return stat.isDirectory() && (isWindows || (stat.uid === process.geteuid() && (stat.mode & 0o022) === 0));
}

/** True if nobody else can rename or replace what this real path names: not in its folder, and not in a folder above. */
function isFixed(path) {
  const folder = dirname(path);
  if (isWindows || folder === path) return true;
  const { uid, mode } = lstatSync(folder);
  const isTrusted = (uid === 0 || uid === process.geteuid()) && ((mode & 0o022) === 0 || (mode & 0o1000) !== 0);
  return isTrusted && isFixed(folder);
}

function isPrivateFolder(path) {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  return isPrivate(path);
}

function start() {
  const place = join(userCache(), "pulumi-frontdoor");
  if (!isAbsolute(place) || !isPrivateFolder(place)) return;
  // Links above the folder are resolved once, so that Node later uses the folders that are checked here.
  const own = realpathSync(place);
  const cache = join(own, "compiled");
  if (!isFixed(own) || !isPrivateFolder(own) || !isPrivateFolder(cache)) return;
  // Node keeps the content in folders of its own, one for each version.
  if (!readdirSync(cache).every((name) => isPrivate(join(cache, name)))) return;
  const umask = process.umask(0o077);
  enableCompileCache(cache);
  process.umask(umask);
}

try {
  // NODE_COMPILE_CACHE is the user's own choice for all of Node: it stays in force.
  if (getCompileCacheDir() === undefined) start();
} catch {
  // Without a cache the start takes longer, and nothing else changes.
}
