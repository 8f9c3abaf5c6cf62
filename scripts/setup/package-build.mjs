import { existsSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { withLock } from "./lock.mjs";
import { inState, root, run, step } from "./environment.mjs";

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
  "scripts/bundle",
];

/** Compiles the package into dist/ when a source is newer than what is there. */
export async function buildPackage(env) {
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
