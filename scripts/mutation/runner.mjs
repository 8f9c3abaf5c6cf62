import { setMaxListeners } from "node:events";
import { isInSample } from "./sample.mjs";
import { Suites } from "./suites.mjs";

const sample = Number(process.env.MUTATION_SAMPLE ?? 1);

/** What the report says of a mutant that is not in the sample. */
const leftOut = "not in the sample";

/** The name that Stryker's instrumented code looks for. */
const context = (globalThis.__stryker__ ??= {});

/** Runs the fast tests inside Stryker's own process: a mutant costs milliseconds instead of a start of jest. */
class FastRunner {
  static inject = ["options"];

  constructor(options) {
    this.options = options;
  }

  capabilities() {
    return { reloadEnvironment: true };
  }

  init() {
    // Each wait of a run listens to the one signal that ends them all.
    setMaxListeners(0);
    this.suites = new Suites(process.cwd(), this.options.fastTests, this.options.virtualClock);
    return Promise.resolve();
  }

  async dryRun() {
    context.mutantCoverage = { static: {}, perTest: {} };
    const problem = this.suites.load();
    if (problem) return { status: "error", errorMessage: problem };
    const tests = [];
    await this.suites.run({
      isFirst: true,
      begins: ({ id }) => (context.currentTestId = id),
      ends: ({ id, name, file }, failure, timeSpentMs) => {
        context.currentTestId = undefined;
        const shared = { id, name, fileName: file, timeSpentMs };
        tests.push(failure ? { ...shared, status: 1, failureMessage: failure } : { ...shared, status: 0 });
        return true;
      },
    });
    const { mutantCoverage } = context;
    delete context.mutantCoverage;
    return { status: "complete", tests, mutantCoverage };
  }

  async mutantRun({ activeMutant, testFilter, hitLimit, mutantActivation, reloadEnvironment, disableBail }) {
    if (!isInSample(sample, activeMutant.fileName, activeMutant, 0)) return { status: "error", errorMessage: leftOut };
    Object.assign(context, { hitLimit, hitCount: hitLimit === undefined ? undefined : 0 });
    context.activeMutant = mutantActivation === "static" ? activeMutant.id : undefined;
    let failure = reloadEnvironment || !this.suites.isLoaded ? this.suites.load() : undefined;
    context.activeMutant = activeMutant.id;
    const killedBy = failure ? ["load"] : [];
    let nrOfTests = 0;
    if (!failure)
      await this.suites.run({
        only: testFilter && new Set(testFilter),
        ends: ({ id }, problem) => {
          nrOfTests += 1;
          if (!problem) return true;
          failure ??= problem;
          killedBy.push(id);
          return disableBail;
        },
      });
    context.activeMutant = undefined;
    if (context.hitCount > hitLimit || failure?.startsWith("hung:"))
      return { status: "timeout", reason: failure ?? "the mutant was reached too often" };
    if (!failure) return { status: "survived", nrOfTests };
    return { status: "killed", killedBy, failureMessage: failure, nrOfTests };
  }
}

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

export const strykerPlugins = [
  { kind: "TestRunner", name: "fast", injectableClass: FastRunner },
  { kind: "Ignore", name: "messages", value: messages },
];

export const strykerValidationSchema = {
  properties: { fastTests: { type: "array", items: { type: "string" } }, virtualClock: { type: "string" } },
};
