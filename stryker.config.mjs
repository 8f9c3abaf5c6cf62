/** `npm run mutation`: how many small changes of the provider's core the fast tests notice. */
export default {
  mutate: ["provider/time.ts", "provider/{ledger,operations,resources}/**/*.ts"],
  plugins: ["./scripts/mutation/runner.mjs"],
  testRunner: "fast",
  ignorers: ["messages"],
  // The cheap ones first: the first test that fails ends the run of a mutant. The first file mocks a module of the others.
  fastTests: [
    "tests/provider/{dynamic,plugin,functions}.test.ts",
    "tests/lifecycle/lifecycle.test.ts",
    "tests/provider/{absence,check,collection,create,interrupted-create,lost-answers,names,places,ports,pace,records,refusals}.test.ts",
    "tests/provider/{share,share-set,spelling,tunnel,waits,faults}.test.ts",
    "tests/prove/sample.ts",
  ],
  virtualClock: "tests/provider/virtual-clock.ts",
  coverageAnalysis: "perTest",
  disableTypeChecks: false,
  ignorePatterns: [
    "/*",
    "!provider",
    "!cli",
    "!emulator",
    "!sdk",
    "!tests",
    "!scripts",
    "!package.json",
    "!tsconfig.json",
  ],
  concurrency: 2,
  // Time passes only in the model; a real wait is one that never ends. The machine may be busy.
  timeoutMS: 30_000,
  timeoutFactor: 2,
  // scripts/mutation.mjs prints the figures.
  reporters: ["progress-append-only"],
  incremental: true,
  incrementalFile: ".frontdoor/mutation-1.json",
  tempDirName: ".frontdoor/mutation",
};
