import { availableParallelism } from "node:os";
import process from "node:process";

// `npm run test:long` runs the long tests of nightly/, with tools of other languages and release archives, `npm run test:plugin` those on the engine with the plugin's classes in their programs.
const { FRONTDOOR_TESTS: selected } = process.env;
if (selected === "plugin") process.env.FRONTDOOR_TEST_IMPORTS = "pulumi-frontdoor/plugin";
const testMatch = {
  long: ["<rootDir>/tests/nightly/**/*.test.ts"],
  plugin: ["<rootDir>/tests/{engine,lifecycle}/*.test.ts", "<rootDir>/tests/policy/engine.test.ts"],
}[selected ?? ""] ?? ["<rootDir>/tests/**/*.test.ts"];

/** @type {import("jest").Config} */
export default {
  transform: { "\\.ts$": "<rootDir>/tests/harness/transform.cjs" },
  // @pulumi/pulumi loads them for providers that are closures, which none here is.
  moduleNameMapper: { "^(typescript|@npmcli/arborist)$": "<rootDir>/tests/harness/unused.cjs" },
  testMatch,
  testPathIgnorePatterns: ["/node_modules/", ...(selected === undefined ? ["<rootDir>/tests/nightly/"] : [])],
  // A package of its own, with tests and dependencies of its own, and the copies that Stryker makes.
  modulePathIgnorePatterns: ["<rootDir>/fleet/", "<rootDir>/.frontdoor/"],
  testSequencer: "<rootDir>/tests/harness/sequencer.cjs",
  // A test on a real engine takes seconds, on a busy machine many.
  testTimeout: 600_000,
  // An engine needs half a gigabyte.
  maxWorkers: availableParallelism(),
  maxConcurrency: 2,
};
