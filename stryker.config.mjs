/** `npm run mutation`: how many small changes of the provider's core the fast tests notice. */
export default {
  mutate: ["provider/time/**/*.ts", "provider/ownership/**/*.ts", "provider/resources/**/*.ts"],
  plugins: ["./scripts/mutation/runner.mjs"],
  testRunner: "fast",
  ignorers: ["messages"],
  // The cheap ones first: a mutant is killed by the first test that fails.
  fastTests: [
    "tests/lifecycle/lifecycle.test.ts",
    // Left out: one file that costs more than all others, and one that needs jest's mocks of modules.
    "tests/provider/{time,ownership,resources,inventory,functions}/!(share-set-given-away).test.ts",
    "tests/provider/hosts/**/{requests,functions,share-set}.test.ts",
    "tests/prove/sample.ts",
  ],
  virtualClock: "tests/provider/virtual-clock.ts",
  coverageAnalysis: "perTest",
  disableTypeChecks: false,
  ignorePatterns: ["/*", "!provider", "!emulator", "!sdk", "!tests", "!scripts", "!package.json", "!tsconfig.json"],
  concurrency: 2,
  // Time passes only in the model; a real wait is one that never ends. The machine may be busy.
  timeoutMS: 30_000,
  timeoutFactor: 2,
  // scripts/mutation.mjs prints the figures.
  reporters: [],
  incremental: true,
  incrementalFile: ".frontdoor/mutation-1.json",
  tempDirName: ".frontdoor/mutation",
};
