import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parse } from "yaml";
import { blocksOf } from "../../tests/docs/pages";
import { build, buildIn } from "../build";
import { Allowed } from "../src/allowed";
import { type FleetFile, FleetFileError, frontDoorKeys, loadFleet, readFleet, selected } from "../src/fleet";
import {
  entriesOf,
  type Entry,
  type Failure,
  type Operation,
  pauseSeconds,
  type StackOperation,
  withFewReasons,
} from "../src/operation";
import { WaveQueue } from "../src/wave-queue";
import { exitCode, reportText, stateText, summary } from "../src/report";

const site = { program: "site", frontDoor: "fd-1" };
const problems = (file: unknown): string[] => {
  try {
    readFleet(file);
    return [];
  } catch (error) {
    expect(error).toBeInstanceOf(FleetFileError);
    const { message } = error as FleetFileError;
    expect(message).toMatch(/ \[[a-z-]+\]$/);
    return message.replace(/ \[fleet-file\]$/, "").split("\n");
  }
};

describe("a fleet file", () => {
  it("gives every stack what the defaults say and its own settings over it", () => {
    const { stacks, waves } = readFleet({
      name: "branches",
      waves: [{ name: "canary" }, { name: "rest", stopAfter: 3 }],
      defaults: { ...site, config: { a: "1", b: "1" }, secrets: { "frontdoor:token": "env:TOKEN" } },
      stacks: { paris: { wave: "canary", config: { b: "2" } }, rome: { frontDoor: "fd-2", dependsOn: ["paris"] } },
    });
    const [paris, rome] = stacks;
    expect(paris?.config).toEqual({ a: "1", b: "2" });
    expect([rome?.wave, rome?.frontDoor, rome?.program]).toEqual(["rest", "fd-2", "site"]);
    expect(waves.map(({ stopAfter }) => stopAfter)).toEqual([1, 3]);
  });

  it("may have every setting of the provider's but the front door", () => {
    const schema = readFileSync(join(__dirname, "../../provider/plugin/schema.json"), "utf8");
    const { config } = JSON.parse(schema) as { config: { variables: object } };
    const names = Object.keys(config.variables).filter((key) => key !== "frontdoorId");
    expect([...frontDoorKeys].sort()).toEqual(names.map((key) => `frontdoor:${key}`).sort());
  });

  type Wrong = [what: string, file: Omit<FleetFile, "name"> & Record<string, unknown>, problem: string];
  const wrong: Wrong[] = [
    ["a misspelt key", { stacks: { a: site }, wavs: [] }, 'Unrecognized key: "wavs"'],
    ["no program", { stacks: { a: { frontDoor: "fd-1" } } }, "stacks.a.program: missing, here and in defaults"],
    ["no front door", { stacks: { a: { program: "site" } } }, "stacks.a.frontDoor: missing, here and in defaults"],
    [
      "a program elsewhere",
      { stacks: { a: { ...site, program: "../b" } } },
      "stacks.a.program: a path below the worker's folder",
    ],
    [
      "a secret itself",
      { stacks: { a: { ...site, secrets: { "frontdoor:token": "abc" } } } },
      "stacks.a.secrets.frontdoor:token: write env:NAME or file:PATH, never the secret",
    ],
    [
      "a secret in config",
      { stacks: { a: { ...site, config: { "frontdoor:token": "abc" } } } },
      "stacks.a.config.frontdoor:token: is a secret. Give a reference in secrets",
    ],
    [
      "a misspelt setting",
      { stacks: { a: { ...site, config: { "frontdoor:baseurl": "https://x.example" } } } },
      `stacks.a: there is no setting frontdoor:baseurl; there are ${frontDoorKeys.join(", ")}`,
    ],
    [
      "a key that the engine would take for an option",
      { stacks: { a: { ...site, config: { "--x": "" } } } },
      "stacks.a.config.--x",
    ],
    ...[
      "postgres://u:p@db/x",
      "postgres://u:pass/word@db/x",
      "postgres://db/x?user=u&password=p",
      "https://state.example",
      "s3://bucket",
      "file:///state?password=p",
      "file:///state?metadata=skip",
      "file://u:p@host/state",
      "plain",
    ].map((backend): Wrong => [
      `the backend ${backend}`,
      { backend, stacks: { a: site } },
      "backend: this URL can contain secrets, and Temporal keeps the fleet file. Write env:NAME or file:PATH instead. [backend-address]",
    ]),
    ["a wave nobody knows", { stacks: { a: { ...site, wave: "x" } } }, "stacks.a.wave: there is no wave x"],
    [
      "a stack nobody knows",
      { stacks: { a: { ...site, dependsOn: ["x"] } } },
      "stacks.a.dependsOn: there is no stack x",
    ],
    [
      "a circle",
      { stacks: { a: { ...site, dependsOn: ["b"] }, b: { ...site, dependsOn: ["a"] } } },
      "stacks: a → b → a depend on each other",
    ],
    [
      "a stack that needs one of a later wave",
      {
        waves: [{ name: "one" }, { name: "two" }],
        stacks: { a: { ...site, wave: "one", dependsOn: ["b"] }, b: { ...site, wave: "two" } },
      },
      "stacks.a.dependsOn: b is in wave two, which comes after one",
    ],
    [
      "one key in config and secrets",
      { stacks: { a: { ...site, config: { k: "1" }, secrets: { k: "env:K" } } } },
      "stacks.a.secrets.k: is also in config",
    ],
    ["no stacks", { stacks: {} }, "stacks: at least one stack"],
    [
      "a request timeout that is no number",
      { stacks: { a: { ...site, config: { "frontdoor:requestTimeout": "40s" } } } },
      "stacks.a.config.frontdoor:requestTimeout: must be a number of seconds",
    ],
    [
      "a request timeout that is hidden",
      { stacks: { a: { ...site, secrets: { "frontdoor:requestTimeout": "env:T" } } } },
      "stacks.a.secrets.frontdoor:requestTimeout: write it in config, because the pause after a lost worker depends on it",
    ],
  ];
  for (const [what, file, problem] of wrong)
    it(`with ${what} is refused, with the place`, () => {
      const found = problems({ name: "f", ...file });
      expect(found.join("\n")).toContain(problem);
    });

  it("may have a reference or a plain file:// address as its back end", () => {
    for (const backend of ["env:STATE", "file:secrets/state", "file:///state", "file://~"])
      expect(problems({ name: "f", backend, stacks: { a: site } })).toEqual([]);
  });

  it("never shows a secret that was written into it", () => {
    const found = problems({ name: "f", stacks: { a: { ...site, secrets: { k: "hunter2-hunter2" } } } });
    expect(found.join("\n")).not.toMatch(/hunter2/);
  });

  it("is read from YAML, and a problem names the file", async () => {
    const folder = mkdtempSync(join(tmpdir(), "fleet-file-"));
    try {
      writeFileSync(join(folder, "fleet.yaml"), "name: a\nstacks: { s: { program: p, frontDoor: fd } }\n");
      writeFileSync(join(folder, "bad.yaml"), "name: a\nstacks: { s: { program: p } }\n");
      expect((await loadFleet(join(folder, "fleet.yaml"))).name).toBe("a");
      await expect(loadFleet(join(folder, "bad.yaml"))).rejects.toThrow(/bad\.yaml: stacks\.s\.frontDoor: missing/);
      await expect(loadFleet(join(folder, "none.yaml"))).rejects.toThrow(/there is no such file/);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it("has stacks that are chosen by name and label", () => {
    const fleet = readFleet({
      name: "f",
      defaults: site,
      stacks: { a: { labels: { region: "eu" } }, b: { labels: { region: "us" } }, c: {} },
    });
    expect(selected(fleet, [], {})).toEqual(["a", "b", "c"]);
    expect(selected(fleet, [], { region: "eu" })).toEqual(["a"]);
    expect(selected(fleet, ["b", "c"], {})).toEqual(["b", "c"]);
    expect(() => selected(fleet, ["x"], {})).toThrow(/there is no stack x/);
    expect(() => selected(fleet, ["c"], { region: "eu" })).toThrow(FleetFileError);
  });
});

describe("the command", () => {
  let folder: string;
  let command: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "fleet-command-"));
    command = buildIn(folder);
    writeFileSync(join(folder, "fleet.yaml"), "name: a\nstacks: { s: { program: p, frontDoor: fd } }\n");
  });
  afterAll(() => {
    rmSync(folder, { recursive: true });
  });
  const started = (...args: string[]) => {
    const env = { ...process.env, TEMPORAL_ADDRESS: "192.0.2.1:7233", FRONTDOOR_FLEET_KEY: "none" };
    return spawnSync(process.execPath, [command, ...args], { cwd: folder, env, encoding: "utf8" });
  };

  it.each(["soon", "0h", "24", "59s"])("refuses schedule --every %j before it connects", (every) => {
    const { status, stderr } = started("schedule", `--every=${every}`);
    expect(stderr).toMatch(
      /'--every <interval>'.*Write a number and s, m, h or d, such as 24h: at least a minute\. \[wrong-usage\]/,
    );
    expect(status).toBe(2);
  });

  it.each(["abc", "0", "1.5"])("refuses worker --max-stacks %j before it connects", (count) => {
    const { status, stderr } = started("worker", "--fleet", "f", `--max-stacks=${count}`);
    expect(stderr).toMatch(/'--max-stacks <number>'.*Write a whole number from 1 to 9999\. \[wrong-usage\]/);
    expect(status).toBe(2);
  });

  it("needs a fleet for a worker", () => {
    const { status, stderr } = started("worker");
    expect(stderr).toMatch(/required option '--fleet <name>' not specified \[wrong-usage\]/);
    expect(status).toBe(2);
    expect(started("worker", "--fleet", "f").stderr).toContain("[temporal-plain-text]");
  });
});

describe("the pages on fleets", () => {
  const fleetOfPage = () =>
    readFleet(parse(blocksOf("fleet/README.md").find(({ language }) => language === "yaml")?.code ?? ""));

  it("show a file that the command reads", () => {
    expect(fleetOfPage().stacks.map(({ name, wave }) => `${name} ${wave}`)).toEqual([
      "paris canary",
      "rome rest",
      "boston rest",
    ]);
  });

  it("show a TypeScript file that the installed command reads", () => {
    const folder = mkdtempSync(join(tmpdir(), "fleet-typed-"));
    try {
      symlinkSync(join(__dirname, "../../node_modules"), join(folder, "node_modules"));
      const own = join(folder, "own", "node_modules", "frontdoor-fleet");
      build(join(own, "dist"));
      cpSync(join(__dirname, "../package.json"), join(own, "package.json"));
      cpSync(join(__dirname, "fleet-of-sites.ts"), join(folder, "own", "fleet.ts"));
      const args = [join(own, "dist", "main.js"), "--file", "fleet.ts", "--json", "plan"];
      const { stdout, stderr } = spawnSync(process.execPath, args, { cwd: join(folder, "own"), encoding: "utf8" });
      expect(stderr).not.toContain("error");
      const { stacks } = JSON.parse(stdout) as { stacks: { name: string }[] };
      expect(stacks.map(({ name }) => name)).toEqual(["paris", "rome", "boston"]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  const pageOf = (path: string) => readFileSync(join(__dirname, "..", path), "utf8");

  it("start a worker that allows everything that the fleet file names", () => {
    const line = /^npx frontdoor-fleet worker (.*)$/m.exec(pageOf("README.md"))?.[1] ?? "";
    const values = (option: string) =>
      [...line.matchAll(new RegExp(`--${option} (\\S+)`, "g"))].map(([, value = ""]) => value);
    const { stacks, backend, passphrase } = fleetOfPage();
    const allowed = new Allowed(__dirname, {
      fleet: values("fleet")[0] ?? "",
      secrets: values("allow-secret"),
      backends: values("allow-backend"),
    });
    for (const stack of stacks) {
      const asked = {
        fleet: "branches",
        operation: "up" as const,
        lostAfterSeconds: 120,
        isAfterLoss: false,
        lostHosts: [],
      };
      allowed.check({ ...asked, stack, backend, passphrase });
      for (const reference of [passphrase, ...Object.values(stack.secrets)]) allowed.reference(reference);
    }
  });
});

const waves = [{ name: "canary" }, { name: "rest", stopAfter: 2 }];
const stacks: FleetFile["stacks"] = {
  web: { dependsOn: ["net"] },
  net: {},
  first: { wave: "canary", frontDoor: "fd-2" },
  far: { frontDoor: "fd-2" },
};
const fleet = readFleet({ name: "f", waves, defaults: { program: "p", frontDoor: "fd-1" }, stacks });
const entries = (operation: Operation = "up", chosen = Object.keys(stacks)) =>
  entriesOf({ fleet, operation, stacks: chosen });
const set = (all: Entry[], states: Record<string, Entry["state"]>) => {
  for (const each of all) each.state = states[each.name] ?? each.state;
  return all;
};
const names = (all: Entry[]) => all.map(({ name }) => name);

describe("the order of a run", () => {
  it("is wave by wave, and backwards for a destroy, where dependents come first", () => {
    expect(names(entries())).toEqual(["first", "web", "net", "far"]);
    const down = entries("destroy");
    expect(names(down)).toEqual(["web", "net", "far", "first"]);
    expect(down.map(({ needs }) => needs)).toEqual([[], ["web"], [], []]);
  });

  it("leaves out what was not chosen, also where others need it", () => {
    expect(entries("up", ["web"]).map(({ needs }) => needs)).toEqual([[]]);
  });

  it("begins what needs nothing that is not done, so many at a time on each front door", () => {
    const order = new WaveQueue(entries().slice(1), { name: "rest", stopAfter: 2 }, 1);
    const [net, far, none] = [order.next(), order.next(), order.next()];
    expect([net?.name, far?.name, none]).toEqual(["net", "far", undefined]);
    if (net) order.end(net, { state: "done" });
    expect(order.next()?.name).toBe("web");
  });

  it("goes on after a new history, with what is done", () => {
    const order = new WaveQueue(set(entries().slice(1), { net: "done" }), { name: "rest", stopAfter: 2 }, 1);
    expect([order.next()?.name, order.next()?.name, order.next()]).toEqual(["web", "far", undefined]);
  });

  it("skips what needs a stack that failed, and what needs that", () => {
    const needs = { a: {}, b: { dependsOn: ["a"] }, c: { dependsOn: ["b"] } };
    const chain = readFleet({ name: "f", defaults: site, stacks: needs });
    const all = entriesOf({ fleet: chain, operation: "up", stacks: ["a", "b", "c"] });
    const order = new WaveQueue(all, { name: "all", stopAfter: 9 }, 1);
    const first = order.next();
    if (first) order.end(first, { state: "failed" });
    expect(all.map(stateText)).toEqual([
      "failed",
      "skipped: needs a, which did not succeed",
      "skipped: needs b, which did not succeed",
    ]);
  });

  it("stops a wave at its number of failures", () => {
    const all = entries("up", ["net", "far"]);
    const order = new WaveQueue(all, { name: "rest", stopAfter: 1 }, 1);
    const first = order.next();
    if (first) order.end(first, { state: "failed" });
    expect(order.next()).toBe(undefined);
    expect(all.map(stateText)[1]).toBe("skipped: wave rest was stopped: 1 failed");
  });

  it("has at most 200 stacks at a time, and takes a fleet of 10,000 in linear time", () => {
    const many = (count: number) =>
      Object.fromEntries(
        Array.from({ length: count }, (_, at) => [
          `s${at}`,
          { ...site, frontDoor: `fd-${at}`, dependsOn: at > 0 && at % 2 === 0 ? ["s0"] : [] },
        ]),
      );
    const big = readFleet({ name: "f", stacks: many(10_000) });
    const all = entriesOf({ fleet: big, operation: "up", stacks: big.stacks.map(({ name }) => name) });
    const order = new WaveQueue(all, { name: "all", stopAfter: 1 }, 2);
    const running: Entry[] = [];
    for (;;) {
      for (let entry = order.next(); entry; entry = order.next()) running.push(entry);
      expect(order.running).toBeLessThanOrEqual(200);
      const ended = running.shift();
      if (!ended) break;
      order.end(ended, { state: "done" });
    }
    expect(all.filter(({ state }) => state !== "done")).toEqual([]);
    expect(problems({ name: "f", stacks: many(10_001) })).toEqual([
      "stacks: at most 10000 stacks. Divide them into fleets",
    ]);
  });
});

describe("the pause before the next attempt", () => {
  const operationOn = (config: Record<string, string>) =>
    ({ lostAfterSeconds: 120, stack: { ...fleet.stacks[0], config } }) as StackOperation;
  const rows: [what: string, failure: Omit<Failure, "reason">, attempt: number, seconds: number][] = [
    ["after the first try to reach Frontdoor", { kind: "unreachable" }, 1, 10],
    ["after the third", { kind: "unreachable" }, 3, 40],
    ["after the ninth", { kind: "unreachable" }, 9, 300],
    ["after a worker was stopped, which can be the next one's, too", { kind: "stopped" }, 1, 10],
    ["after a Pulumi process was killed: until a list shows its last create", { kind: "lost" }, 1, 82],
    ["after a silent worker, whose Pulumi processes ended 30 s ago", { kind: "lost", isSilent: true }, 1, 52],
  ];
  it.each(rows)("%s", (_, failure, attempt, seconds) => {
    expect(pauseSeconds({ ...failure, reason: "" }, attempt, operationOn({}))).toBe(seconds);
  });

  it("depends on the request timeout of the stack", () => {
    const stack = operationOn({ "frontdoor:requestTimeout": "10.5" });
    expect(pauseSeconds({ kind: "lost", reason: "" }, 1, stack)).toBe(53);
  });
});

describe("a report", () => {
  const report = {
    fleet: "f",
    operation: "up" as const,
    stacks: set(entries(), { first: "done", web: "done", net: "done", far: "done" }),
  };

  it("has a line for each stack and the numbers under them", () => {
    report.stacks[0] = { ...report.stacks[0], changes: { create: 2, update: 1 }, attempts: 2 } as Entry;
    expect(reportText(report).split("\n")[0]).toBe("first  fd-2  canary  2 create, 1 update, attempt 2");
    expect(reportText(report).split("\n").at(-1)).toBe("up of 4 stacks: 4 done");
  });

  it("has the reasons of a thousand failures, and says how many it leaves out", () => {
    const [first] = report.stacks;
    const failed = { ...first, state: "failed", kind: "failed", reason: "x".repeat(500) } as Entry;
    const many = { ...report, stacks: withFewReasons(Array<Entry>(10_000).fill(failed)) };
    expect(summary(many)).toBe("up of 10000 stacks: 10000 failed. The reasons of 9000 failures are left out");
    expect(JSON.stringify(many).length).toBeLessThan(2_000_000);
  });

  it("ends with 0 where all is done, and with 1 where a stack is not or drift was found", () => {
    expect(exitCode(report)).toBe(0);
    expect(exitCode({ ...report, operation: "drift" })).toBe(1);
    expect(exitCode({ ...report, stacks: set(entries(), { first: "skipped" }) })).toBe(1);
  });
});
