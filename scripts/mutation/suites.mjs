import { globSync, readFileSync } from "node:fs";
import Module, { createRequire } from "node:module";
import { join, sep } from "node:path";
import { performance } from "node:perf_hooks";
import { transformSync } from "esbuild";
import { Watch } from "./watch.mjs";

const require = createRequire(import.meta.url);
const circus = require("jest-circus");
const { jestExpect } = require("@jest/expect");
const { fn, spyOn } = require("jest-mock");

const globals = ["describe", "it", "test", "beforeAll", "beforeEach", "afterAll", "afterEach"];

/** A test that never ends is ended by Stryker. */
const testTimeout = 2 ** 30;

/** The files of tests, loaded into this process with jest's own words for tests. */
export class Suites {
  suites = [];
  isLoaded = false;
  #compiled = new Map();
  #watch = new Watch();
  #onEvent = undefined;
  #onStray = undefined;

  /** `clock` is the module of the virtual clock. */
  constructor(root, patterns, clock) {
    this.clock = join(root, clock);
    this.root = root;
    this.files = patterns.flatMap((pattern) => globSync(pattern, { cwd: root }).sort());
    for (const name of globals) globalThis[name] = circus[name];
    Object.assign(globalThis, { expect: jestExpect, jest: { fn, spyOn } });
    Module._extensions[".ts"] = (module, path) => module._compile(this.#compile(path), path);
    for (const event of ["unhandledRejection", "uncaughtException"])
      process.on(event, (error) => this.#onStray?.(error));
    circus.addEventHandler((event) => this.#onEvent?.(event));
  }

  #compile(path) {
    let code = this.#compiled.get(path);
    if (code === undefined) {
      const source = readFileSync(path, "utf8");
      code = mocksFirst(
        transformSync(source, { loader: "ts", format: "cjs", target: "node22", sourcefile: path }).code,
      );
      this.#compiled.set(path, code);
    }
    return code;
  }

  /** Loads everything anew. Returns the error of a file that cannot be loaded. */
  load() {
    const own = this.root + sep;
    for (const path of Object.keys(require.cache))
      if (path.startsWith(own) && !path.includes("node_modules")) delete require.cache[path];
    this.suites = [];
    this.isLoaded = true;
    try {
      this.#watch.guardClock(require(this.clock).VirtualClock);
      for (const file of this.files) {
        circus.resetState();
        const path = join(this.root, file);
        require(path);
        const state = circus.getState();
        state.testTimeout = testTimeout;
        const tests = testsOf(state.rootDescribeBlock, file);
        for (const { test } of tests) this.#watched(test);
        this.suites.push({ file, path, state, tests });
      }
    } catch (error) {
      return textOf(error);
    }
    return undefined;
  }

  #watched(test) {
    const { fn: body } = test;
    test.fn = function () {
      return watch.during(async () => body.call(this));
    };
    const watch = this.#watch;
  }

  /** Runs the tests, or only those with such an id, until `ends` returns false. */
  async run({ only, isFirst = false, begins = () => undefined, ends }) {
    let isEnded = false;
    this.#watch.nextRun();
    for (const { state, tests, path } of this.suites) {
      const chosen = tests.filter(({ id }) => !only || only.has(id));
      if (isEnded || chosen.length === 0) continue;
      for (const { test } of tests) Object.assign(test, { mode: "skip", errors: [], status: null });
      for (const { test } of chosen) test.mode = undefined;
      state.unhandledErrors = [];
      circus.setState(state);
      const byTest = new Map(chosen.map((each) => [each.test, each]));
      let current;
      let startedMs = 0;
      this.#onStray = (error) => current?.test.errors.push(error);
      this.#onEvent = ({ name, test }) => {
        const one = byTest.get(test);
        if (!one) return;
        if (name === "test_started") {
          current = one;
          startedMs = performance.now();
          this.#watch.begin(one.id);
          begins(one);
        }
        if (name !== "test_done") return;
        current = undefined;
        const [error] = test.errors;
        const problem = error === undefined ? undefined : textOf(error);
        if (isFirst) this.#watch.note(one.id);
        if (ends({ ...one, file: path }, problem, performance.now() - startedMs)) return;
        isEnded = true;
        for (const { test: each } of tests) each.mode = "skip";
      };
      await circus.run();
      this.#onEvent = undefined;
      this.#onStray = undefined;
    }
    if (isFirst) this.#watch.save();
  }
}

/** A mocked module takes its place before the file's imports, as jest has it. */
function mocksFirst(code) {
  const mocks = [];
  const rest = code.replace(/^jest\.mock\(("[^"]+"), ([\s\S]*?)\);$/gm, (_, module, make) => {
    const exports = `(${make.replaceAll("jest.requireActual(", "require(")})()`;
    mocks.push(`require.cache[require.resolve(${module})] = { loaded: true, exports: ${exports} };`);
    return "";
  });
  return mocks.join("") + rest;
}

function testsOf(block, file) {
  const seen = new Map();
  const inside = (each, above) =>
    each.children.flatMap((child) => {
      const name = `${above} ${child.name}`;
      if (child.type === "describeBlock") return inside(child, name);
      const nth = (seen.get(name) ?? 0) + 1;
      seen.set(name, nth);
      return [{ id: nth === 1 ? name : `${name} (${nth})`, name: name.trim(), test: child }];
    });
  return inside(block, file);
}

const textOf = (error) => {
  const [first] = Array.isArray(error) ? error : [error];
  const text = first instanceof Error ? first.message : String(first);
  return text.slice(0, 500) || "an error without a message";
};
