import { spawn } from "node:child_process";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { clearInterval, setInterval } from "node:timers";
import { setTimeout as sleep } from "node:timers/promises";
import { setUp } from "./setup.mjs";
import { inState, root, runMain } from "./setup/environment.mjs";

const lingerMs = 20_000;
const stopMs = 5000;
const lookMs = 100;
const stops = ["SIGINT", "SIGTERM", "SIGHUP"];

const bin = (path) => join(root, "node_modules", path);
const checks = [
  ["type check", [bin("typescript/bin/tsc"), "--noEmit"]],
  ["eslint", [bin("eslint/bin/eslint.js"), "--config", "eslint.config.mjs", "."]],
  ["prettier", [bin("prettier/bin/prettier.cjs"), "--check", "--log-level", "warn", "."]],
];

await runMain(async () => {
  const { env: own } = await setUp({ quiet: true });
  const given = process.argv.slice(2);
  const selected = ["long", "plugin"].find((name) => given[0] === `--${name}`);
  const env = selected === undefined ? own : { ...own, FRONTDOOR_TESTS: selected };
  const jestArgs = selected === undefined ? given : given.slice(1);
  const results = inState(`jest-${process.pid}.json`);
  const jest = ["jest", [bin("jest/bin/jest.js"), "--json", `--outputFile=${results}`, ...jestArgs]];

  const failed = [];
  const summary = [];
  const check = async ([name, command]) => {
    const startedMs = Date.now();
    const code = await show(command, env, name === "jest" ? results : undefined);
    summary.push(`${code === 0 ? "ok    " : "FAILED"} ${name} (${((Date.now() - startedMs) / 1000).toFixed(1)} s)`);
    if (code !== 0) failed.push(name);
  };
  const all = given.length > 0 ? [jest] : [...checks, jest];
  console.error(`\n== ${all.map(([name]) => name).join(", ")}`);
  // The fleet's tests wait for most of their time, so they run beside jest, and their output follows its.
  const [fleet] = await Promise.all([given.length === 0 ? runFleet(env) : undefined, ...all.map(check)]);
  if (fleet) console.log(`\n== fleet\n${fleet.text}`);
  console.error(`\n${summary.join("\n")}`);
  const totals = [readTotals(results), ...(fleet ? [fleet.totals] : [])];
  const [passed, wrong, skipped] = [0, 1, 2].map((at) => totals.reduce((sum, each) => sum + (each?.[at] ?? 0), 0));
  const lost = totals.filter((each) => each === undefined).length;
  console.log(`${passed} passed, ${wrong + lost} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`);
  return failed.length + wrong + lost > 0 ? 1 : 0;
});

/** Runs the tests of the fleet, a package of its own. Returns what it printed, and its totals, or undefined if it printed none. */
async function runFleet(env) {
  const fleet = spawn("node", [join(root, "fleet", "scripts", "run.mjs"), "test"], {
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const onStop = (signal) => fleet.kill(signal);
  for (const signal of stops) process.on(signal, onStop);
  let text = "";
  let last = "";
  for (const output of [fleet.stdout, fleet.stderr]) output.setEncoding("utf8").on("data", (chunk) => (text += chunk));
  fleet.stdout.on("data", (chunk) => (last = chunk));
  await new Promise((resolve) => fleet.once("close", resolve));
  for (const signal of stops) process.off(signal, onStop);
  const [, ...counts] = /(\d+) passed, (\d+) failed(?:, (\d+) skipped)?\s*$/.exec(last) ?? [];
  return { text, totals: counts.length === 0 ? undefined : counts.map((count) => Number(count ?? 0)) };
}

/**
 * Runs one check, its output shown. With `results`, jest has to end within a while of writing them: what a test left running
 * would keep it for ever. The check has a process group of its own, so that all it started ends with it.
 */
async function show(command, env, results) {
  const child = spawn("node", command, { cwd: root, env, detached: true, stdio: ["ignore", "inherit", "inherit"] });
  const onStop = () => void endGroup(child.pid).then(() => process.exit(130));
  for (const signal of stops) process.on(signal, onStop);
  let writtenMs;
  const watch = setInterval(() => {
    if (!results || !existsSync(results)) return;
    writtenMs ??= Date.now();
    if (Date.now() - writtenMs < lingerMs) return;
    clearInterval(watch);
    console.error(`jest is ended: ${lingerMs / 1000} s after its last test something that a test started still runs`);
    void endGroup(child.pid);
  }, lookMs);
  const code = await new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (exitCode) => resolve(exitCode ?? 1));
  });
  clearInterval(watch);
  await endGroup(child.pid);
  for (const signal of stops) process.off(signal, onStop);
  return code;
}

/** Asks a process group to stop, as Ctrl-C does, and kills what has not done so in time. */
async function endGroup(pid) {
  for (let looks = stopMs / lookMs; looks > 0 && signalGroup(pid, 0); looks--) {
    if (looks === stopMs / lookMs) signalGroup(pid, "SIGINT");
    await sleep(lookMs);
  }
  signalGroup(pid, "SIGKILL");
}

/** Whether there was anything to signal. */
function signalGroup(pid, signal) {
  try {
    return process.kill(-pid, signal);
  } catch {
    return false;
  }
}

/** Names each skipped test. Returns how many tests passed, failed and were skipped, or undefined when jest wrote no result. A suite that could not run counts as one failed test. */
function readTotals(results) {
  try {
    const found = JSON.parse(readFileSync(results, "utf8"));
    const skipped = found.numPendingTests + found.numTodoTests;
    const failed = found.numFailedTests + found.numRuntimeErrorTestSuites;
    const tests = found.testResults.flatMap(({ assertionResults }) => assertionResults);
    for (const { fullName, status } of tests) if (status === "pending") console.error(`skipped: ${fullName}`);
    return [found.numPassedTests, failed, skipped];
  } catch {
    return undefined;
  } finally {
    rmSync(results, { force: true });
  }
}
