import { availableParallelism } from "node:os";

/** @type {import("jest").Config} */
export default {
  // 151001 advises esModuleInterop, which "module": "node20" brings by itself.
  transform: { "\\.ts$": ["ts-jest", { diagnostics: { ignoreCodes: [151001] } }] },
  testMatch: ["<rootDir>/tests/**/*.test.ts"],
  // Long tests, tools of other languages and release archives: `npm run test:long` (jest.long.config.mjs).
  testPathIgnorePatterns: [
    "/node_modules/",
    "<rootDir>/tests/languages/",
    "<rootDir>/tests/nightly/",
    "<rootDir>/tests/release/",
  ],
  // A package of its own, with tests and dependencies of its own.
  modulePathIgnorePatterns: ["<rootDir>/fleet/"],
  testSequencer: "<rootDir>/tests/harness/sequencer.cjs",
  // A test on a real engine takes seconds, on a busy machine many.
  testTimeout: 600_000,
  // Tests on an engine wait for a part of their time.
  maxWorkers: 2 * availableParallelism(),
};
