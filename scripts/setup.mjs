import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { findEngine } from "./setup/engine.mjs";
import { atLeast, environment, inState, root, run, runMain, SetUpError, step, withLock } from "./setup/environment.mjs";

/** Dependencies and a new-enough Node, without the engine: enough to run the emulator. */
export async function setUpDependencies() {
  await installDependencies();
  const node = await findNode();
  return { node, env: environment({ node, engineDirs: [] }) };
}

/** Dependencies, Node and dist/: enough for every test that runs no engine. */
export async function setUpPackage() {
  const { node, env } = await setUpDependencies();
  await buildPackage(env);
  return { node };
}

/**
 * Makes the checkout ready to run: dependencies, Node, engine, dist/. Gives the environment that children run in, the paths of Node and
 * the engine, and `path`: the folders that put both on PATH. `quiet` leaves out what is found ready. Long steps are shown all the same.
 * @throws SetUpError saying what is missing and what to do
 */
export async function setUp({ quiet = false } = {}) {
  const startedMs = Date.now();
  const [{ node }, engine] = await Promise.all([setUpPackage(), findEngine()]);
  if (!quiet) console.log(`node    ${node}\npulumi  ${engine.pulumi} (${engine.from})`);
  const env = environment({ node, engineDirs: engine.dirs });
  if (!quiet) console.log(`Ready in ${((Date.now() - startedMs) / 1000).toFixed(1)} s`);
  return { env, pulumi: engine.pulumi, node, path: [dirname(node), ...engine.dirs].join(delimiter) };
}

/** Development dependencies are needed whatever NODE_ENV says. */
const always = ["--include=dev", "--include=optional", "--no-audit", "--no-fund"];

/** Brings node_modules to what package-lock.json says; does nothing when it is there already. */
async function installDependencies() {
  if (isInstalled()) return;
  await withLock(inState("npm.lock"), async () => {
    if (isInstalled()) return;
    await step("Installing dependencies", install);
  });
}

/**
 * npm refuses a lock file that lacks optional packages of other platforms, which npm itself writes if a registry does not
 * have them all. Installing without saving takes every locked version as it is, but adds what is not locked: CI must not.
 */
async function install() {
  try {
    await npm(["ci", ...always]);
  } catch (error) {
    if (process.env.CI || !error.message.includes("in sync")) throw error;
    console.error("  npm ci finds package-lock.json incomplete: installing what it locks with npm install --no-save");
    await npm(["install", "--no-save", ...always]);
  }
}

function isInstalled() {
  const installed = readJson("node_modules/.package-lock.json");
  return installed !== undefined && fulfils(readJson("package-lock.json"), installed);
}

/**
 * Whether every package of the lock file is installed in the locked version; optional ones of other platforms may lack. A link that lacks
 * counts as installed: it leads to a workspace, whose packages are looked at themselves.
 */
function fulfils(locked, installed) {
  return Object.entries(locked.packages).every(([path, { version, optional, devOptional, peer, link }]) => {
    if (!path.startsWith("node_modules/")) return true;
    const found = installed.packages[path];
    if (!found) return Boolean(optional || devOptional || peer || link);
    return link ? found.link === true : found.version === version;
  });
}

function readJson(name) {
  const path = join(root, name);
  return existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : undefined;
}

/** The oldest Node that undici 8 and @pulumi/pulumi 3.270 run on. */
const oldestNode = "22.19.0";

/** The path of a Node that is new enough: this process's own, else the one that npm ci installed for this platform (scripts/node). */
export async function findNode(own = { path: process.execPath, version: process.versions.node }) {
  if (atLeast(own.version, oldestNode)) return own.path;
  const { optionalDependencies } = readJson("scripts/node/package.json");
  const executable = process.platform === "win32" ? "node.exe" : "node";
  for (const name of Object.keys(optionalDependencies)) {
    const installed = join(root, "node_modules", name, "bin", executable);
    if (existsSync(installed) && atLeast(await run(installed, ["--version"]).catch(() => ""), oldestNode))
      return installed;
  }
  throw new SetUpError(
    `Node ${oldestNode} or later is needed, this is ${own.version}. Run "npm ci --include=optional", which installs one for this checkout, ` +
      "or install Node 24. Then try again.",
  );
}

/** Runs npm as the user started it, else the one on PATH, and gives what it printed. */
export function npm(args, { cwd = root } = {}) {
  const started = process.env.npm_execpath;
  return started?.endsWith("npm-cli.js")
    ? run(process.execPath, [started, ...args], { cwd })
    : run("npm", args, { cwd });
}

/** A bundled dependency or the version can change without a change in the code. */
export const sources = [
  "package.json",
  "package-lock.json",
  "provider",
  "sdk",
  "policy",
  "cli",
  "emulator",
  "tsconfig.json",
  "tsconfig.build.json",
  "scripts/bundle.mjs",
  "scripts/setup",
];

/** Compiles the package into dist/ when a source is newer than what is there. */
async function buildPackage(env) {
  if (upToDate()) return;
  await withLock(inState("build.lock"), async () => {
    if (upToDate()) return;
    await step("Compiling the package into dist/", () => compile(env));
  });
}

/** Compiled aside and swapped in, so that a program that runs meanwhile never loads half a file. */
async function compile(env) {
  const fresh = inState(`dist-${process.pid}`);
  const old = inState(`old-dist-${process.pid}`);
  const dist = join(root, "dist");
  const tsc = join(root, "node_modules", "typescript", "bin", "tsc");
  try {
    await run("node", [tsc, "-p", "tsconfig.build.json", "--outDir", fresh, "--noEmitOnError"], { cwd: root, env });
    await run("node", [join(root, "scripts", "bundle.mjs"), fresh], { cwd: root, env });
    if (existsSync(dist)) renameSync(dist, old);
    renameSync(fresh, dist);
  } finally {
    rmSync(fresh, { recursive: true, force: true });
    rmSync(old, { recursive: true, force: true });
  }
}

const upToDate = () => newestMs("dist") > Math.max(...sources.map(newestMs));

/** When the newest file at or under a path was written, 0 when there is none. A folder counts too: its time shows removals. */
function newestMs(path) {
  const stat = statSync(join(root, path), { throwIfNoEntry: false });
  if (!stat) return 0;
  if (!stat.isDirectory()) return stat.mtimeMs;
  return Math.max(stat.mtimeMs, ...readdirSync(join(root, path)).map((name) => newestMs(join(path, name))));
}

const commands = {
  build: () => withLock(inState("build.lock"), () => compile(process.env)),
  /** For `export PATH="$(npm run --silent setup -- path):$PATH"`, which lets a user's own projects use this Node and this Pulumi. */
  path: () => setUp({ quiet: true }).then(({ path }) => console.log(path)),
  all: () => setUp().then(() => 0),
};

if (process.argv[1] === import.meta.filename) await runMain(commands[process.argv[2] ?? "all"]);
