import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import type { ConnectionLike } from "@temporalio/client";
import { type AllowSettings, Allowed, Secrets } from "../src/allowed";
import { Events, kindOf } from "../src/events";
import { Lease, type Watchdog } from "../src/lease";
import type { StackOperation } from "../src/operation";
import { engineEnvironment, EngineError, runEngine, StackRun } from "../src/stack-run";
import { runWatchdog } from "../src/watchdog";

/** A worker's folder with the program `site`. */
function workerFolder(): string {
  const root = mkdtempSync(join(tmpdir(), "fleet-worker-"));
  program(join(root, "worker", "site"));
  return root;
}

function program(folder: string): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "Pulumi.yaml"), "name: site\nruntime: nodejs\n");
}

const stack = {
  ...{ name: "paris", program: "site", frontDoor: "fd-1", dependsOn: [], wave: "all" },
  ...{ config: {}, secrets: {}, labels: {} },
};

interface Part {
  /** Laid over an operation that a worker of `allow` takes. */
  asked?: Partial<Omit<StackOperation, "stack">>;
  stack?: Partial<StackOperation["stack"]>;
  env?: NodeJS.ProcessEnv;
  allow?: Partial<AllowSettings>;
  variables?: string[];
  /** What stands for the engine. */
  command?: string;
}

const watchdog = { begun: () => undefined, over: () => undefined } as unknown as Watchdog;

/** An operation on the worker in `folder/worker`. */
function stackRun(folder: string, { asked, stack: over, env, allow, variables, command = "false" }: Part = {}) {
  const root = join(folder, "worker");
  const all = { PULUMI_CONFIG_PASSPHRASE: "passphrase", PULUMI_BACKEND_URL: "file:///nowhere", ...env };
  const allowed = new Allowed(root, { fleet: "branches", ...allow });
  const place = {
    ...{ root, env: all, engineEnv: engineEnvironment(all, variables), allowed },
    pulumi: { command, version: "3.213.0" } as never,
    watchdog,
  };
  const operation: StackOperation = {
    ...{
      fleet: "branches",
      operation: "up",
      backend: "env:PULUMI_BACKEND_URL",
      passphrase: "env:PULUMI_CONFIG_PASSPHRASE",
    },
    ...{ lostAfterSeconds: 60, isAfterLoss: false, lostHosts: [], ...asked },
    stack: { ...stack, ...over },
  };
  const interruption = { signal: new AbortController().signal, lostAfterSeconds: 60 };
  return new StackRun(operation, place, new Secrets(root, all, allowed), interruption);
}

let folder = "";
beforeEach(() => {
  folder = workerFolder();
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

/** The engine is `false`: an operation that the worker takes ends with it. */
const taken = /Pulumi failed/;
const operate = async (part: Part) => stackRun(folder, part).operate(new Events());

describe("a worker refuses", () => {
  it("a stack whose name leads to a file outside the program's folder", async () => {
    mkdirSync(join(folder, "evil"));
    const victim = join(folder, "evil", "x.yaml");
    writeFileSync(victim, "somebody else's");
    mkdirSync(join(folder, "worker", "site", ".frontdoor-fleet.x"));
    mkdirSync(join(folder, "worker", "site", "Pulumi.x"));
    await expect(operate({ stack: { name: "x/../../../evil/x" } })).rejects.toThrow(/letters, digits|Invalid key/);
    expect(readFileSync(victim, "utf8")).toBe("somebody else's");
    expect(readdirSync(join(folder, "evil"))).toEqual(["x.yaml"]);
  });

  it("a program outside its folder, also by a symbolic link", async () => {
    program(join(folder, "evil"));
    symlinkSync(join(folder, "evil"), join(folder, "worker", "link"));
    await expect(operate({ stack: { program: "../evil" } })).rejects.toThrow(/a path below the worker's folder/);
    await expect(operate({ stack: { program: "link" } })).rejects.toThrow(/\[worker-program\]/);
    expect(readdirSync(join(folder, "evil"))).toEqual(["Pulumi.yaml"]);
  });

  const secret = (reference: string): Part => ({
    stack: { secrets: { note: reference } },
    env: { OTHER: "the token of another fleet" },
  });
  it("a reference that its own settings do not name", async () => {
    writeFileSync(join(folder, "secret"), "outside");
    mkdirSync(join(folder, "worker", "secrets"));
    symlinkSync(join(folder, "secret"), join(folder, "worker", "secrets", "link"));
    const more = { allow: { secrets: ["file:secrets/"] } };
    for (const reference of ["env:OTHER", "file:../secret", "file:secrets/../../secret", "file:secrets/link"])
      await expect(operate({ ...secret(reference), ...more })).rejects.toThrow(/\[worker-secret\]/);
    const passphrase = { asked: { passphrase: "env:OTHER" }, env: { OTHER: "x" } };
    await expect(operate(passphrase)).rejects.toThrow(/\[worker-secret\]/);
  });

  it("a stack of another fleet", async () => {
    const other = { allow: { fleet: "shops" } };
    await expect(operate(other)).rejects.toThrow(/does not allow the fleet branches.*\[worker-fleet\]/);
    await expect(operate({ allow: { fleet: "branches" } })).rejects.toThrow(taken);
  });

  it("a back end that its own settings do not name", async () => {
    await expect(operate({ asked: { backend: "file:///evil" } })).rejects.toThrow(/\[worker-backend\]/);
    const inEnv = { asked: { backend: "env:OTHER" }, env: { OTHER: "file:///evil" } };
    await expect(operate(inEnv)).rejects.toThrow(/\[worker-backend\]/);
    await expect(operate({ ...inEnv, allow: { backends: ["env:OTHER"] } })).rejects.toThrow(taken);
  });

  const evil = "https://evil.example";
  const addresses: [where: string, part: Part][] = [
    ["frontdoor:baseUrl", { stack: { config: { "frontdoor:baseUrl": evil } } }],
    ["frontdoor:tokenUrl", { stack: { config: { "frontdoor:tokenUrl": evil } } }],
    [
      "frontdoor:baseUrl of a secret",
      {
        ...{ stack: { secrets: { "frontdoor:baseUrl": "env:WHERE" } }, env: { WHERE: evil } },
        allow: { secrets: ["env:WHERE"] },
      },
    ],
  ];
  for (const [where, part] of addresses)
    it(`an address that its own settings do not name, in ${where}`, async () => {
      const [setting] = where.split(" ");
      const message = `This worker does not allow ${evil} as ${setting}. The stack was not touched. Start the worker with --allow-url ${evil}. [worker-url]`;
      await expect(operate(part)).rejects.toThrow(message);
      await expect(operate({ ...part, allow: { ...part.allow, urls: ["https://EVIL.example/"] } })).rejects.toThrow(
        taken,
      );
    });

  const rules: [what: string, part: Part, message: RegExp][] = [
    ["a setting that there is not", { stack: { config: { "frontdoor:stateDir": "/" } } }, /there is no setting/],
    ["a key that is an option", { stack: { secrets: { "--config-file=/x": "env:X" } } }, /Invalid key|letters/],
    ["an operation that there is not", { asked: { operation: "nonsense" as never } }, /there is no operation/],
    ["a time that is none", { asked: { lostAfterSeconds: "1\n+1 1" as never } }, /lostAfterSeconds/],
  ];
  for (const [what, part, message] of rules)
    it(what, async () => {
      await expect(operate(part)).rejects.toThrow(message);
    });
});

describe("a worker", () => {
  it("takes what its settings name, and files below a folder that they name", async () => {
    mkdirSync(join(folder, "worker", "secrets"));
    writeFileSync(join(folder, "worker", "secrets", "token"), "t-1");
    const stack = {
      secrets: { "frontdoor:token": "file:secrets/token", note: "env:NOTE" },
      config: { "frontdoor:baseUrl": "https://door.example/api/" },
    };
    const allow = { secrets: ["file:secrets/", "env:NOTE"], urls: ["https://door.example/api"] };
    await expect(operate({ stack, allow, env: { NOTE: "n" } })).rejects.toThrow(taken);
  });

  it("leaves a program's folder as it was after an operation that failed, and clears up after a killed one", async () => {
    const site = join(folder, "worker", "site");
    const [settings, kept] = [join(site, "Pulumi.paris.yaml"), join(site, ".frontdoor-fleet.paris.yaml")];
    writeFileSync(settings, "config: { site:left: of a killed operation }\n");
    writeFileSync(kept, "config: { site:own: of the checkout }\n");
    await expect(operate({})).rejects.toThrow(taken);
    expect(readFileSync(settings, "utf8")).toBe("config: { site:own: of the checkout }\n");
    expect(readdirSync(site)).toEqual(["Pulumi.paris.yaml", "Pulumi.yaml"]);
  });

  it("leaves an empty settings file of a program in its folder", async () => {
    const site = join(folder, "worker", "site");
    const settings = join(site, "Pulumi.paris.yaml");
    writeFileSync(settings, "");
    await expect(operate({})).rejects.toThrow(taken);
    expect(readFileSync(settings, "utf8")).toBe("");
    rmSync(settings);
    await expect(operate({})).rejects.toThrow(taken);
    expect(readdirSync(site)).toEqual(["Pulumi.yaml"]);
  });

  it("takes a credentials file that its settings name, in place of its own token endpoint, and redacts the password", async () => {
    const seen = join(folder, "seen");
    const command = join(folder, "engine");
    writeFileSync(command, `#!/bin/sh\nenv > ${seen}\necho canary-password >&2\nexit 1\n`, { mode: 0o755 });
    const file = { clientId: "c", password: "canary-password", authenticationUrl: "https://id.example/token" };
    writeFileSync(join(folder, "worker", "credentials.json"), JSON.stringify(file));
    const env = { PATH: process.env["PATH"], FRONTDOOR_TOKEN_URL: "https://own.example", NETFOUNDRY_API_TOKEN: "v" };
    const part = { env, command, stack: { config: { "frontdoor:credentialsFile": "credentials.json" } } };
    await expect(operate(part)).rejects.toThrow(/\[worker-secret\]/);
    expect(existsSync(seen)).toBe(false);
    await expect(operate({ ...part, allow: { secrets: ["file:credentials.json"] } })).rejects.toThrow(taken);
    const text = readFileSync(seen, "utf8");
    expect(text).toContain(`FRONTDOOR_CREDENTIALS_FILE=${join(folder, "worker", "credentials.json")}\n`);
    expect(text).not.toMatch(/FRONTDOOR_TOKEN_URL|NETFOUNDRY|canary/);
  });

  it("gives an engine only the variables of its list and those that the stack's file names", async () => {
    const seen = join(folder, "seen");
    const command = join(folder, "engine");
    writeFileSync(command, `#!/bin/sh\nenv > ${seen}\nexit 1\n`, { mode: 0o755 });
    const env = {
      ...{ PATH: process.env["PATH"], HOME: folder, LC_ALL: "C", https_proxy: "http://proxy.example" },
      FRONTDOOR_BASE_URL: "https://door.example",
      ...{ OTHER_TOKEN: "canary-1", FRONTDOOR_FLEET_KEY: "canary-2", TEMPORAL_API_KEY: "canary-3" },
      ...{ FRONTDOOR_TOKEN: "canary-4", MINE: "mine-1", AWS_PROFILE: "prod" },
    };
    process.env["CANARY_OF_PROCESS"] = "canary-5";
    const part = {
      ...{ env, command, allow: { secrets: ["env:MINE"] }, variables: ["AWS_PROFILE"] },
      stack: { secrets: { "frontdoor:token": "env:MINE" } },
    };
    await expect(operate(part)).rejects.toThrow(taken);
    expect(existsSync(seen)).toBe(true);
    const text = readFileSync(seen, "utf8");
    expect(text).not.toMatch(/canary/);
    for (const line of [
      "FRONTDOOR_TOKEN=mine-1",
      "AWS_PROFILE=prod",
      `HOME=${folder}`,
      "LC_ALL=C",
      "FRONTDOOR_ID=fd-1",
      "FRONTDOOR_BASE_URL=https://door.example",
    ])
      expect(text.split("\n")).toContain(line);
    expect(text).toMatch(/^https_proxy=/m);
  });

  /** An engine whose stack is locked by these machines until `pulumi cancel`. */
  const lockedBy = (...hosts: string[]) => {
    const command = join(folder, "engine");
    const owners = hosts.map(
      (host) => `\n  file:///state/x.json: created by user@${host} (pid 7) at 2026-11-26T10:00:00Z`,
    );
    const said = `error: the stack is currently locked by ${hosts.length} lock(s). Either wait or delete the lock file.${owners.join("")}`;
    writeFileSync(join(folder, "said"), said);
    const locked = `up) [ -e ${folder}/free ] || { cat ${folder}/said >&2; exit 255; };;`;
    const script = `#!/bin/sh\ncase $1 in\n${locked}\ncancel) touch ${folder}/free;;\nesac\n`;
    writeFileSync(command, script, { mode: 0o755 });
    return { command, env: { PATH: process.env["PATH"] } };
  };
  const isFreed = () => existsSync(join(folder, "free"));

  it("removes a lock that a lost worker of the run has left, and goes on", async () => {
    await operate({ ...lockedBy("lost-1"), asked: { isAfterLoss: true, lostHosts: ["lost-1"] } });
    expect(isFreed()).toBe(true);
  });

  const others: [whose: string, hosts: string[], lostHosts: string[]][] = [
    ["somebody else's, after a loss", ["laptop"], ["lost-1"]],
    ["somebody else's beside a lost worker's", ["lost-1", "laptop"], ["lost-1"]],
    ["anybody's without a loss", ["lost-1"], []],
  ];
  it.each(others)("leaves a lock that is %s", async (_, hosts, lostHosts) => {
    await expect(operate({ ...lockedBy(...hosts), asked: { isAfterLoss: true, lostHosts } })).rejects.toThrow(taken);
    expect(isFreed()).toBe(false);
  });

  it("reads a character whose bytes come in two parts", async () => {
    const command = join(folder, "engine");
    // An odd number of bytes before characters of two: each end of a full pipe is within one.
    const text = `process.stderr.write("x" + "é".repeat(200_000)); process.exitCode = 1;`;
    writeFileSync(command, `#!${process.execPath}\n${text}\n`, { mode: 0o755 });
    const interruption = { signal: new AbortController().signal, lostAfterSeconds: 60 };
    const failed = runEngine(command, [], { cwd: folder, env: {}, watchdog, interruption });
    const { stderr } = await failed.then(
      () => new EngineError("", false),
      (error: unknown) => error as EngineError,
    );
    expect(stderr.length).toBe(200_001);
    expect(stderr).not.toContain("\ufffd");
  });
});

describe("the kind of a failure", () => {
  const label = "GET /v2/fd-1/ipsec-tunnels";
  const all: [line: string, kind: string][] = [
    [`${label}: 503 from the server. Try again later. [service-trouble]`, "unreachable"],
    [`${label}: no response within 30 s. Try again later. [no-answer]`, "unreachable"],
    [
      `${label}: nothing was reached at gw.example.com (ECONNREFUSED). Check the URL in frontdoor:baseUrl. [unreachable]`,
      "unreachable",
    ],
    [`${label} (connection lost). Try again later. [connection-lost]`, "unreachable"],
    [`tunnel: ${label}: 503 from the server [service-trouble]. It is in the state. [tunnel-incomplete]`, "unreachable"],
    [
      "error: unable to open bucket [secret]: failed to create table pulumi_state: pq: duplicate key value",
      "unreachable",
    ],
    ["error: dial tcp 10.0.0.1:5432: connect: connection refused", "unreachable"],
    [`${label}: 403 not_found: …. This front door was not found for this token. [not-found-front-door]`, "failed"],
    ['peerCidr: "10.300.0.0/16" is no IPv4 network', "failed"],
    ["error: the stack is currently locked by 1 lock(s).", "locked"],
  ];
  for (const [line, kind] of all)
    it(`is ${kind}: ${line}`, () => {
      expect(kindOf([line])).toBe(kind);
    });

  it("is unreachable only where every error is", () => {
    expect(kindOf(all.slice(0, 8).map(([line]) => line))).toBe("failed");
    expect(kindOf([])).toBe("failed");
  });

  it("comes with one line for all errors", () => {
    const events = new Events();
    const error = (message: string) => {
      events.on({ sequence: 0, timestamp: 0, diagnosticEvent: { severity: "error", color: "", message } });
    };
    error("<{%fg 1%}>one\nline<{%reset%}>\n    at program (index.js:1:2)\n    at main\n");
    error("update failed");
    error("another");
    const clean = (text: string) => text;
    expect(events.failure("error: x", clean)).toEqual({ kind: "failed", reason: "one line (and 1 more)" });
    expect(new Events().failure("warning: y\nerror: x\n", clean)).toEqual({ kind: "failed", reason: "error: x" });
  });
});

const token = "token-of-forty-letters-that-nobody-may-see";
const secretsOf = (env: NodeJS.ProcessEnv, root = "/nowhere") =>
  new Secrets(
    root,
    env,
    new Allowed(root, { fleet: "f", secrets: [...Object.keys(env).map((name) => `env:${name}`), "file:"] }),
  );

/** The reason that a report has when the engine's diagnostics are these, and the secret was resolved. */
function reasonOf(message: string, secret = token): string {
  const secrets = secretsOf({ TOKEN: secret });
  secrets.value("env:TOKEN");
  const events = new Events();
  events.on({ sequence: 0, timestamp: 0, diagnosticEvent: { severity: "error", color: "", message } });
  return events.failure("", (text) => secrets.clean(text)).reason;
}

describe("the reason of a failure", () => {
  it("holds no part of a secret that the cut would go through", () => {
    expect(reasonOf(`${"x".repeat(490)}${token}`)).toBe(`${"x".repeat(490)}[secret]`);
  });

  it("holds no secret whose white space was collapsed", () => {
    const secret = "first line\n\n   second line";
    for (const text of [secret, JSON.stringify(secret), encodeURIComponent(secret)])
      expect(reasonOf(`refused: ${text}`, secret)).not.toMatch(/line/);
  });

  it("holds no secret that control sequences split", () => {
    expect(reasonOf(`<{%fg 1%}>no ${token.slice(0, 9)}\x1b[31m\x9b0m\u200b${token.slice(9)}<{%reset%}>`)).toBe(
      "no [secret]",
    );
  });

  it("holds no control characters and no sequences of a terminal", () => {
    const text = "\x1b]0;title\x07a\x1b[2Jb\x9b31mc\u202ed\x00\x7f\x1b]8;;http://x.example\x1b\\e\x1bc\r\tf";
    expect(reasonOf(text)).toBe("abcdec f");
  });

  it("is made in linear time", () => {
    // Each takes hours where an expression goes over the rest again at each letter.
    for (const text of ["\n", " ", "\x1b]", "\x1b[", "<{%", "\n at"].map((part) => part.repeat(1_000_000)))
      expect(reasonOf(`a${text}b`).length).toBeLessThanOrEqual(500);
  });

  it("is without secrets also where the engine wrote it to standard error", () => {
    const secrets = secretsOf({ TOKEN: "line one\nerror: line two" });
    secrets.value("env:TOKEN");
    const { reason } = new Events().failure("error: line one\nerror: line two", (text) => secrets.clean(text));
    expect(reason).toBe("error: [secret]");
  });
});

describe("secrets", () => {
  it("come from the worker's environment and files", () => {
    const folder = mkdtempSync(join(tmpdir(), "fleet-secrets-"));
    try {
      writeFileSync(join(folder, "key"), 'a"b c/d\n');
      const secrets = new Secrets(
        folder,
        { TOKEN: "tok-1" },
        new Allowed(folder, { fleet: "f", secrets: ["env:TOKEN", "file:key"] }),
      );
      expect(secrets.value("env:TOKEN")).toBe("tok-1");
      expect(secrets.value("file:key")).toBe('a"b c/d');
      expect(secrets.clean('tok-1 a"b c/d a\\"b c/d')).toBe("[secret]");
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it("that are missing are named by their reference", () => {
    const secrets = new Secrets(
      "/nowhere",
      {},
      new Allowed("/nowhere", { fleet: "f", secrets: ["env:TOKEN", "file:x"] }),
    );
    expect(() => secrets.value("env:TOKEN")).toThrow(/env:TOKEN: this worker has no such variable/);
    expect(() => secrets.value("file:x")).toThrow(/file:x: this worker can't read the file \(ENOENT\)/);
  });

  it("inside the address of a back end are redacted by themselves", () => {
    const addresses = {
      "postgres://user:p%40ss-1@db/state": "p@ss-1 p%40ss-1",
      "postgres://user:left/right@db/state": "left/right left right",
      "postgres:///state?host=db&user=u&password=other-1&sslmode=off": "other-1",
    };
    for (const [address, text] of Object.entries(addresses)) {
      const secrets = secretsOf({ STATE: address });
      expect(secrets.backend("env:STATE")).toBe(address);
      expect(secrets.clean(text)).toMatch(/^(\[secret\] ?)+$/);
    }
    expect(secretsOf({}).backend("file:///state")).toBe("file:///state");
  });
});

describe("a worker that may not reach Temporal", () => {
  const lostAfterSeconds = 60;

  beforeEach(() => {
    jest.useFakeTimers({ doNotFake: ["nextTick", "setImmediate", "queueMicrotask"] });
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  describe("a lease", () => {
    /** A lease of a worker whose Temporal answers until `end`. */
    const leased = () => {
      let isSilent = false;
      let beats = 0;
      const answer = () => (isSilent ? Promise.reject(new Error("no answer")) : Promise.resolve({}));
      const connection = { withDeadline: answer } as unknown as ConnectionLike;
      const lease = new Lease(connection, { beat: () => (beats += 1) } as unknown as Watchdog);
      const cancellation = new AbortController();
      const ends = lease.interruption(lostAfterSeconds, cancellation.signal);
      const end = () => {
        isSilent = true;
      };
      const close = () => {
        ends.close();
        lease.close();
      };
      return { ends, cancellation, end, close, beats: () => beats };
    };

    it("ends no engine while Temporal answers, and tells the watch of each answer", async () => {
      const { ends, close, beats } = leased();
      await jest.advanceTimersByTimeAsync(10 * lostAfterSeconds * 1000);
      expect(ends.signal.aborted).toBe(false);
      expect(beats()).toBe(300);
      close();
    });

    it("ends an engine in order after half of the time in which Temporal has not answered", async () => {
      const { ends, end, close } = leased();
      await jest.advanceTimersByTimeAsync(10_000);
      end();
      await jest.advanceTimersByTimeAsync(30_000);
      expect(ends.signal.aborted).toBe(false);
      await jest.advanceTimersByTimeAsync(1000);
      expect(ends.signal.aborted).toBe(true);
      close();
    });

    it("ends an engine in order at once when its operation is cancelled", () => {
      const { ends, cancellation, close } = leased();
      cancellation.abort();
      expect(ends.signal.aborted).toBe(true);
      close();
    });
  });

  describe("the watch", () => {
    const watched = () => {
      const killed: number[] = [];
      const lines = new PassThrough();
      runWatchdog(lines, (pid) => killed.push(pid));
      return { killed, lines };
    };

    it("kills an engine after three quarters of its time without an answer, and no engine that has ended", async () => {
      const { killed, lines } = watched();
      lines.write(`+1 ${lostAfterSeconds}\n+2 ${2 * lostAfterSeconds}\n+3 ${lostAfterSeconds}\n-3\n`);
      await jest.advanceTimersByTimeAsync(30_000);
      lines.write("beat\n");
      await jest.advanceTimersByTimeAsync(45_000);
      expect(killed).toEqual([]);
      await jest.advanceTimersByTimeAsync(1000);
      expect(killed).toEqual([1]);
      await jest.advanceTimersByTimeAsync(45_000);
      expect(killed).toEqual([1, 2]);
      lines.end();
    });

    it("kills all engines when the worker ends", async () => {
      const { killed, lines } = watched();
      lines.end(`+1 ${lostAfterSeconds}\n+2 ${lostAfterSeconds}\n-1\n`);
      await jest.advanceTimersByTimeAsync(1);
      expect(killed).toEqual([2]);
    });
  });
});
