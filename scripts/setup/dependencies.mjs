import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { withLock } from "./lock.mjs";
import { npm } from "./npm.mjs";
import { inState, root } from "./places.mjs";
import { step } from "./progress.mjs";

/** Development dependencies are needed whatever NODE_ENV says. */
const always = ["--include=dev", "--no-audit", "--no-fund"];

/** Brings node_modules to what package-lock.json says; does nothing when it is there already. */
export async function installDependencies() {
  if (upToDate()) return;
  await withLock(inState("npm.lock"), async () => {
    if (upToDate()) return;
    await step("Installing dependencies", () => install());
  });
}

/**
 * npm refuses a lock file that lacks optional packages of other platforms, which npm itself writes if a registry does not
 * have them all. Installing without saving takes every locked version as it is, but adds what is not locked: CI must not.
 */
export async function install(run = npm, isCi = Boolean(process.env.CI)) {
  try {
    await run(["ci", ...always]);
  } catch (error) {
    if (isCi || !error.message.includes("in sync")) throw error;
    console.error("  npm ci finds package-lock.json incomplete: installing what it locks with npm install --no-save");
    await run(["install", "--no-save", ...always]);
  }
}

function upToDate() {
  const installed = readJson("node_modules/.package-lock.json");
  return installed !== undefined && fulfils(readJson("package-lock.json"), installed);
}

/** Whether every package of the lock file is installed in the locked version; optional ones of other platforms may lack. */
export function fulfils(locked, installed) {
  return Object.entries(locked.packages).every(([path, { version, optional, devOptional, peer, link }]) => {
    if (!path.startsWith("node_modules/")) return true;
    const found = installed.packages[path];
    if (!found) return Boolean(optional || devOptional || peer);
    return link ? found.link === true : found.version === version;
  });
}

function readJson(name) {
  const path = join(root, name);
  return existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : undefined;
}
