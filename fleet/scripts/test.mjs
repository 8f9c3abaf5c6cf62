// Type check, lint and tests of this package; the last line is the totals.
import { spawn } from "node:child_process";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { inState, root, runMain } from "../../scripts/setup/environment.mjs";
import { here, prepare } from "./prepare.mjs";

/** Whatever hangs is ended. */
const longestMs = 25 * 60_000;
const bin = (path) => join(root, "node_modules", path);

await runMain(async () => {
  const { env: found, missing } = await prepare();
  // What needs it is skipped then, and says so.
  const env = missing ? { ...found, FLEET_NO_TEMPORAL: missing.split("\n")[0] } : found;
  const totals = inState(`fleet-test-${process.pid}.json`);
  const files = process.argv.slice(2);
  const reporter = ["--test-reporter=spec", "--test-reporter-destination=stdout"];
  const counter = [`--test-reporter=${join(here, "scripts", "totals.mjs")}`, `--test-reporter-destination=${totals}`];
  const test = [
    "--test",
    "--test-concurrency=1",
    ...reporter,
    ...counter,
    ...(files.length > 0 ? files : ["tests/*.test.ts"]),
  ];
  const checks = [
    [bin("typescript/bin/tsc"), "--noEmit"],
    [bin("eslint/bin/eslint.js"), "."],
  ];
  let failed = 0;
  for (const check of files.length > 0 ? [] : checks) failed += (await run(check, env)) === 0 ? 0 : 1;
  const code = await run(test, env);
  const counts = read(totals);
  if (code !== 0 && (counts === undefined || counts.failed === 0)) failed += 1;
  for (const name of counts?.names ?? []) console.error(`skipped: ${name}`);
  const { passed = 0, failed: wrong = 0, skipped = 0 } = counts ?? {};
  console.log(`${passed} passed, ${wrong + failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`);
  return wrong + failed > 0 ? 1 : 0;
});

/** Runs one check in a process group of its own, so that all it started ends with it. */
async function run(args, env) {
  const child = spawn("node", args, { cwd: here, env, detached: true, stdio: ["ignore", "inherit", "inherit"] });
  const end = (signal) => {
    try {
      process.kill(-child.pid, signal);
    } catch {
      // All of it has ended.
    }
  };
  const stop = () => (end("SIGKILL"), process.exit(130));
  for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, stop);
  const late = setTimeout(() => (console.error("it took too long and is ended"), end("SIGKILL")), longestMs);
  const code = await new Promise((resolve) => child.once("exit", (exit) => resolve(exit ?? 1)));
  clearTimeout(late);
  end("SIGKILL");
  for (const signal of ["SIGINT", "SIGTERM"]) process.off(signal, stop);
  return code;
}

function read(path) {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch {
    return undefined;
  } finally {
    rmSync(path, { force: true });
  }
}
