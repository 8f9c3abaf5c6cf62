import { spawn } from "node:child_process";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setUp } from "./setup.mjs";
import { inState, root } from "./setup/places.mjs";
import { runMain } from "./setup/progress.mjs";

const bin = (path) => join(root, "node_modules", path);
const checks = [
  ["type check", [bin("typescript/bin/tsc"), "--noEmit"]],
  ["eslint", [bin("eslint/bin/eslint.js"), "."]],
  ["prettier", [bin("prettier/bin/prettier.cjs"), "--check", "--log-level", "warn", "."]],
];

await runMain(async () => {
  const { env } = await setUp({ quiet: true });
  const jestArgs = process.argv.slice(2);
  const results = inState(`jest-${process.pid}.json`);
  const jest = ["jest", [bin("jest/bin/jest.js"), "--json", `--outputFile=${results}`, ...jestArgs]];

  const failed = [];
  const summary = [];
  for (const [name, command] of jestArgs.length > 0 ? [jest] : [...checks, jest]) {
    console.error(`\n== ${name}`);
    const startedMs = Date.now();
    const code = await show(command, env);
    summary.push(`${code === 0 ? "ok    " : "FAILED"} ${name} (${((Date.now() - startedMs) / 1000).toFixed(1)} s)`);
    if (code !== 0) failed.push(name);
  }
  console.error(`\n${summary.join("\n")}`);
  const totals = readTotals(results);
  console.log(totals ?? "0 passed, 1 failed");
  return failed.length > 0 || totals === undefined ? 1 : 0;
});

/** jest writes its JSON to the file, so what it prints is for people. */
function show(command, env) {
  return new Promise((resolve, reject) => {
    const child = spawn("node", command, { cwd: root, env, stdio: ["ignore", "inherit", "inherit"] });
    child.once("error", reject);
    child.once("close", (code) => resolve(code ?? 1));
  });
}

/** The line that CI reads, or undefined when jest wrote no result. A suite that could not run counts as one failed test. */
function readTotals(results) {
  try {
    const found = JSON.parse(readFileSync(results, "utf8"));
    const skipped = found.numPendingTests + found.numTodoTests;
    const failed = found.numFailedTests + found.numRuntimeErrorTestSuites;
    return `${found.numPassedTests} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`;
  } catch {
    return undefined;
  } finally {
    rmSync(results, { force: true });
  }
}
