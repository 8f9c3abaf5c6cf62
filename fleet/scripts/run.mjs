// `node scripts/run.mjs test [file...]` runs type check, lint and tests of this package, or only these tests; the last line is the totals.
// `node scripts/run.mjs lab/run.ts trouble --times 20` runs a TypeScript file with all that it needs on PATH.
import { spawn } from "node:child_process";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { fulfils, npm, setUp } from "../../scripts/setup.mjs";
import { goTool } from "../../scripts/setup/engine.mjs";
import { inState, root, run, runMain, SetUpError, step, withLock } from "../../scripts/setup/environment.mjs";

const here = fileURLToPath(new URL("..", import.meta.url));
/** Whatever hangs is ended. */
const longestMs = 25 * 60_000;
const stops = ["SIGINT", "SIGTERM"];

await runMain(async () => {
  const [what, ...given] = process.argv.slice(2);
  const { env, missing } = await prepare();
  if (what === "test") return test(given, env, missing);
  if (missing) throw new SetUpError(missing);
  const child = spawn("node", [what, ...given], { cwd: here, env, stdio: "inherit" });
  // A Ctrl-C reaches both; the file ends what it has started.
  for (const signal of stops) process.on(signal, () => child.kill(signal));
  return new Promise((resolve) => child.once("exit", (code) => resolve(code ?? 1)));
});

/**
 * The checkout's set-up, this package's dependencies, and Temporal: the environment that all of them are found in. Where Temporal can't be had, `missing`
 * says why. @throws SetUpError
 */
async function prepare() {
  const { env } = await setUp({ quiet: true });
  await withLock(inState("fleet-npm.lock"), async () => {
    if (!isInstalled())
      await step("Installing the fleet's dependencies", () => npm(["ci", "--include=dev"], { cwd: here }));
    await npm(["run", "redactor", "--", "--outfile=src/redactor.js"], { cwd: here });
  });
  try {
    const isOnPath = await run("temporal", ["--version"]).catch(() => false);
    return { env: isOnPath ? env : { ...env, PATH: [env.PATH, await goTool("temporal")].join(delimiter) } };
  } catch (error) {
    if (!(error instanceof SetUpError)) throw error;
    return { env, missing: `Temporal can't be had here: ${error.message}` };
  }
}

function isInstalled() {
  const read = (name) => JSON.parse(readFileSync(join(here, name), "utf8"));
  const installed = "node_modules/.package-lock.json";
  return existsSync(join(here, installed)) && fulfils(read("package-lock.json"), read(installed));
}

async function test(files, found, missing) {
  // What needs it is skipped then, and says so.
  const env = missing ? { ...found, FLEET_NO_TEMPORAL: missing.split("\n")[0] } : found;
  const bin = (path) => join(root, "node_modules", path);
  const checks = [
    [bin("typescript/bin/tsc"), "--noEmit"],
    [bin("eslint/bin/eslint.js"), "."],
  ];
  let failed = 0;
  for (const check of files.length > 0 ? [] : checks) failed += (await runGroup(check, env)) === 0 ? 0 : 1;
  const report = inState(`fleet-test-${process.pid}.xml`);
  const reporters = { spec: "stdout", junit: report };
  const flags = Object.entries(reporters).flatMap(([name, to]) => [
    `--test-reporter=${name}`,
    `--test-reporter-destination=${to}`,
  ]);
  const code = await runGroup(
    ["--test", "--test-concurrency=1", ...flags, ...(files.length > 0 ? files : ["tests/*.test.ts"])],
    env,
  );
  const text = existsSync(report) ? readFileSync(report, "utf8") : "";
  rmSync(report, { force: true });
  const [passed, wrong, cancelled, skipped] = ["pass", "fail", "cancelled", "skipped"].map((name) =>
    Number(new RegExp(`<!-- ${name} (\\d+) -->`).exec(text)?.[1] ?? 0),
  );
  failed += wrong + cancelled;
  if (code !== 0 && failed === 0) failed = 1;
  console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`);
  return failed > 0 ? 1 : 0;
}

/** Runs one check in a process group of its own, so that all it started ends with it. */
async function runGroup(args, env) {
  const child = spawn("node", args, { cwd: here, env, detached: true, stdio: ["ignore", "inherit", "inherit"] });
  const end = () => {
    try {
      process.kill(-child.pid, "SIGKILL");
    } catch {
      // All of it has ended.
    }
  };
  const stop = () => (end(), process.exit(130));
  for (const signal of stops) process.on(signal, stop);
  const late = setTimeout(() => (console.error("it took too long and is ended"), end()), longestMs);
  const code = await new Promise((resolve) => child.once("exit", (exit) => resolve(exit ?? 1)));
  clearTimeout(late);
  end();
  for (const signal of stops) process.off(signal, stop);
  return code;
}
