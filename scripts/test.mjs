import { spawn } from "node:child_process";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join, relative } from "node:path";
import { clearInterval, setInterval } from "node:timers";
import { setTimeout as sleep } from "node:timers/promises";
import { setUpPackage } from "./setup.mjs";
import { findEngine, goTool } from "./setup/engine.mjs";
import { environment, inState, root, runMain, SetUpError } from "./setup/environment.mjs";

// `npm test` runs the tests that every change needs, `npm run test:all` all that need no night, `npm run test:long` the night's
// (tests/README.md). With paths or options of jest they run jest alone on them. With FRONTDOOR_FAST_RAN, which .ci/run sets,
// `npm run test:all` leaves out what `npm test` runs.

const lingerMs = 20_000;
const stopMs = 5000;
const pollMs = 100;
const slowestShown = 10;
/** The files of `npm test` that run Pulumi. */
const onEngine = ["tests/engine/", "tests/cli/(import|device-config|command).test"];
const stops = ["SIGINT", "SIGTERM", "SIGHUP"];
/** The process groups of the commands that run now. */
const running = new Set();

const seconds = (ms) => `${(ms / 1000).toFixed(1)} s`;
const bin = (path) => join(root, "node_modules", path);
/** What earlier runs found out. */
const cache = (name) => join(root, "node_modules", ".cache", name);
const typeCheck = [bin("typescript/bin/tsc"), "--noEmit", "--incremental", "--tsBuildInfoFile", cache("tsc.json")];
const prettier = [bin("prettier/bin/prettier.cjs"), "--check", "--log-level", "warn", "--cache", "."];
const fast = { "type check": typeCheck, prettier };
const rest = { eslint: [bin("eslint/bin/eslint.js"), "--config", "eslint.config.mjs", "."] };
const checks = {
  fast,
  all: { ...fast, ...rest },
  rest,
  long: {},
};

await runMain(async () => {
  const [first, ...others] = process.argv.slice(2);
  const all = process.env.FRONTDOOR_FAST_RAN ? "rest" : "all";
  const tier = { "--all": all, "--long": "long" }[first] ?? "fast";
  const jestArgs = tier === "fast" ? process.argv.slice(2) : others;
  // Its build takes minutes on a new machine. Meanwhile everything runs that needs no engine.
  const engine = findEngine().then(
    ({ dirs }) => ({ dirs }),
    (error) => ({ error }),
  );
  const temporal = tier === "fast" ? [] : findTemporal();
  const { node } = await setUpPackage();
  const lacks = inState(`lacks-${process.pid}.txt`);
  const env = { FRONTDOOR_TESTS: tier, FRONTDOOR_LACKS: lacks };
  const envWith = (engineDirs) => ({ ...environment({ node, engineDirs }), ...env });

  for (const signal of stops) process.on(signal, () => void endRunning().then(() => process.exit(130)));
  // Each of them keeps one core busy. The tests run meanwhile.
  const checked = runChecks(jestArgs.length > 0 ? {} : checks[tier], envWith([]));
  let wrong = 0;
  const runs = [];
  const isEarly = tier === "fast" && jestArgs.length === 0 && !(await Promise.race([engine, sleep(pollMs)]));
  if (isEarly) runs.push(await runJest(["--testPathIgnorePatterns", "/node_modules/", ...onEngine], envWith([])));
  const { dirs, error } = await engine;
  if (error && !(error instanceof SetUpError)) throw error;
  if (error) console.error(`\nerror: ${error.message}`);
  if (error) wrong++;
  else runs.push(await runJest(isEarly ? onEngine : jestArgs, envWith([...dirs, ...(await temporal)])));

  const summary = await checked;
  wrong += summary.filter(({ isOk }) => !isOk).length;
  for (const { text } of summary) process.stderr.write(text);
  const lines = summary.map(({ name, isOk, ms }) => `${isOk ? "ok    " : "FAILED"} ${name} (${seconds(ms)})`);
  console.error(`\n${[...lines, ...slowest(runs)].join("\n")}`);
  const sum = (key) => runs.reduce((total, run) => total + run[key], 0);
  // No skip is a success where the tools of all tests are installed.
  const refused = process.env.FRONTDOOR_NO_SKIPS ? sum("skipped") : 0;
  const failed = wrong + sum("failed") + refused;
  const tools = toolsIn(lacks);
  const reason = tools.length > 0 ? `, because there is no ${tools.join(", no ")}` : "";
  console.log(`${sum("passed")} passed, ${failed} failed, ${sum("skipped")} skipped${reason}`);
  return failed > 0 ? 1 : 0;
});

/** The tools that tests have named because the machine lacks them (tests/harness/needs.ts). */
function toolsIn(file) {
  if (!existsSync(file)) return [];
  const tools = readFileSync(file, "utf8").trim().split("\n");
  rmSync(file, { force: true });
  return [...new Set(tools)].sort();
}

/** Runs one check after the other. */
async function runChecks(commands, env) {
  const summary = [];
  for (const [name, command] of Object.entries(commands)) {
    const startedMs = Date.now();
    const { code, text } = await run(command, env);
    summary.push({ name, text, isOk: code === 0, ms: Date.now() - startedMs });
  }
  return summary;
}

/** The folder of a Temporal server for the fleet's tests, which are skipped where there is none. */
async function findTemporal() {
  try {
    return [await goTool("temporal")];
  } catch (error) {
    if (!(error instanceof SetUpError)) throw error;
    console.error(`Tests on Temporal are skipped unless it is on PATH. It can't be built: ${error.message}`);
    return [];
  }
}

/** Runs jest. A run that wrote no results counts as one failed test. */
async function runJest(args, env) {
  const results = inState(`jest-${process.pid}.json`);
  rmSync(results, { force: true });
  const code = await show([bin("jest/bin/jest.js"), "--json", `--outputFile=${results}`, ...args], env, results);
  const run = readResults(results);
  return code !== 0 && run.failed === 0 ? { ...run, failed: 1 } : run;
}

/** Names each skipped test. A file of tests that could not run counts as one failed test. */
function readResults(path) {
  try {
    const found = JSON.parse(readFileSync(path, "utf8"));
    const tests = found.testResults.flatMap(({ assertionResults }) => assertionResults);
    for (const { fullName, status } of tests) if (status === "pending") console.error(`skipped: ${fullName}`);
    return {
      passed: found.numPassedTests,
      failed: found.numFailedTests + found.numRuntimeErrorTestSuites,
      skipped: found.numPendingTests + found.numTodoTests,
      files: found.testResults.map(({ name, startTime, endTime }) => ({ name, ms: endTime - startTime })),
    };
  } catch {
    return { passed: 0, failed: 1, skipped: 0, files: [] };
  } finally {
    rmSync(path, { force: true });
  }
}

function slowest(runs) {
  const files = runs.flatMap((run) => run.files).sort((a, b) => b.ms - a.ms);
  const lines = files
    .slice(0, slowestShown)
    .map(({ name, ms }) => `${seconds(ms).padStart(9)} ${relative(root, name)}`);
  return lines.length > 0 ? ["", "The slowest files:", ...lines] : [];
}

/**
 * Runs one command, its output shown. With `results`, jest has to end within a while of writing them: what a test left running
 * would keep it for ever. The command has a process group of its own, so that all it started ends with it.
 */
async function show(command, env, results) {
  const { code } = await run(command, env, "inherit", results);
  return code;
}

async function run(command, env, output = "pipe", results) {
  const child = spawn("node", command, { cwd: root, env, detached: true, stdio: ["ignore", output, output] });
  let text = "";
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (piece) => (text += piece));
  running.add(child.pid);
  let writtenMs;
  const watch = setInterval(() => {
    if (!results || !existsSync(results)) return;
    writtenMs ??= Date.now();
    if (Date.now() - writtenMs < lingerMs) return;
    clearInterval(watch);
    console.error(`jest is ended: ${lingerMs / 1000} s after its last test something that a test started still runs`);
    void endGroup(child.pid);
  }, pollMs);
  const code = await new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (exitCode) => resolve(exitCode ?? 1));
  });
  clearInterval(watch);
  await endGroup(child.pid);
  running.delete(child.pid);
  return { code, text };
}

async function endRunning() {
  await Promise.all([...running].map(endGroup));
}

/** Asks a process group to stop, as Ctrl-C does, and kills what has not done so in time. */
async function endGroup(pid) {
  for (let polls = stopMs / pollMs; polls > 0 && signalGroup(pid, 0); polls--) {
    if (polls === stopMs / pollMs) signalGroup(pid, "SIGINT");
    await sleep(pollMs);
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
