import { availableParallelism } from "node:os";
import process from "node:process";

// The end of a test file's name says which command runs it (tests/README.md). Without a command, as with npx jest, all are there.
const tiers = {
  fast: ["!(*.all|*.long).test.ts"],
  all: ["!(*.long).test.ts"],
  // What `all` has beside `fast`.
  rest: ["*.all.test.ts"],
  long: ["*.long.test.ts"],
};
const names = tiers[process.env.FRONTDOOR_TESTS] ?? ["*.test.ts"];

// Their tests start shell scripts, send signals, or look at file modes, which Windows lacks.
const needPosix = [
  "tests/(cli|engine|package|verify)/",
  "fleet/tests/",
  "emulator/durability",
  "provider/(config|records)",
];

/** @type {import("jest").Config} */
export default {
  // The page, and what the command uses that is only there as a module.
  transform: {
    "\\.ts$|/cli/dashboard/page/.*\\.js$|/node_modules/commander/": "<rootDir>/tests/harness/transform.cjs",
  },
  transformIgnorePatterns: ["/node_modules/(?!commander/)"],
  setupFiles: ["<rootDir>/tests/harness/late.cjs"],
  testMatch: names.map((name) => `<rootDir>/{tests,fleet/tests}/**/${name}`),
  testPathIgnorePatterns: ["/node_modules/", ...(process.platform === "win32" ? needPosix : [])],
  modulePathIgnorePatterns: ["<rootDir>/.frontdoor/"],
  testSequencer: "<rootDir>/tests/harness/sequencer.cjs",
  // A test on a real engine takes seconds, on a busy machine many.
  testTimeout: 600_000,
  // An engine needs half a gigabyte. Tests on one mostly wait, so another worker uses that time.
  maxWorkers: availableParallelism() + 1,
  maxConcurrency: 2,
};
