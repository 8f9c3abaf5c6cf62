/** `npm run mutation`: how many small changes of the provider's core the fast tests notice (bench/README.md). */
export default {
  mutate: ["provider/time.ts", "provider/{run,converge,view,resources}/**/*.ts"],
  testRunner: "jest",
  jest: {
    projectType: "custom",
    enableFindRelatedTests: false,
    config: {
      transform: { "\\.ts$": "<rootDir>/tests/harness/transform.cjs" },
      // Time passes only in the model, so a test that takes longer hangs.
      testTimeout: 60_000,
      testMatch: [
        "tests/provider/{dynamic,plugin,functions}.test.ts",
        "tests/lifecycle/lifecycle.test.ts",
        "tests/provider/{absence,check,collection,create,interrupted-create,lost-answers,names,places,ports,pace,records,refusals}.test.ts",
        "tests/provider/{share,share-set,spelling,tunnel,waits,faults}.test.ts",
        "tests/prove/sample.ts",
      ].map((file) => `<rootDir>/${file}`),
    },
  },
  coverageAnalysis: "perTest",
  // Each of them would run all tests.
  ignoreStatic: true,
  ignorers: ["messages"],
  plugins: ["@stryker-mutator/jest-runner", "./stryker.config.mjs"],
  ignorePatterns: ["/*", "!provider", "!emulator", "!sdk", "!cli", "!tests", "!package.json", "!tsconfig.json"],
  disableTypeChecks: false,
  concurrency: 2,
  dryRunTimeoutMinutes: 30,
  // The sum of all folders.
  thresholds: { high: 85, low: 85, break: 85 },
  reporters: ["progress-append-only", "clear-text"],
  clearTextReporter: { logTests: false, allowColor: false },
  incremental: true,
  incrementalFile: ".frontdoor/mutation.json",
  tempDirName: ".frontdoor/mutation",
  cleanTempDir: "always",
};

/** Messages for people: their codes are tested, their words are not. */
const messages = {
  shouldIgnore: (path) => {
    const texts = path.isStringLiteral()
      ? [path.node.value]
      : path.isTemplateLiteral()
        ? path.node.quasis.map(({ value }) => value.raw)
        : [];
    return texts.some((text) => text.includes(" ")) ? "the words of a message" : undefined;
  },
};

export const strykerPlugins = [{ kind: "Ignore", name: "messages", value: messages }];
