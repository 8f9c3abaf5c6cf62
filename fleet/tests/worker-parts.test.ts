import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import { dataConverterOf, EncryptingCodec } from "../src/codec.ts";
import { Events, kindOf } from "../src/events.ts";
import type { Watch } from "../src/engine.ts";
import { Secrets } from "../src/secrets.ts";
import { StackRun } from "../src/stack-run.ts";

describe("secrets", () => {
  it("come from the worker's environment and files, and are cleaned out of texts in any usual spelling", () => {
    const folder = mkdtempSync(join(tmpdir(), "fleet-secrets-"));
    try {
      writeFileSync(join(folder, "key"), 'a"b c/d\n');
      const secrets = new Secrets(folder, { TOKEN: "tok-1", STATE: "postgres://user:p%40ss@db/state" });
      assert.equal(secrets.value("env:TOKEN"), "tok-1");
      assert.equal(secrets.value("file:key"), 'a"b c/d');
      assert.equal(secrets.valueOrText("file:///state"), "file:///state");
      secrets.valueOrText("env:STATE");
      const encoded = Buffer.from("tok-1").toString("base64");
      const text = `tok-1 ${encoded} a"b c/d a\\"b c/d ${encodeURIComponent('a"b c/d')} p@ss p%40ss`;
      assert.equal(secrets.clean(text), Array(7).fill("[secret]").join(" "));
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it("that are missing are named by their reference", () => {
    const secrets = new Secrets("/nowhere", {});
    assert.throws(() => secrets.value("env:TOKEN"), /env:TOKEN: this worker has no such variable/);
    assert.throws(() => secrets.value("file:x"), /file:x: this worker can't read it \(ENOENT\)/);
  });
});

it("a program's folder is as it was after an operation that failed, and what a killed one left there is gone", async () => {
  const root = mkdtempSync(join(tmpdir(), "fleet-settings-"));
  const program = join(root, "site");
  const [settings, kept] = [join(program, "Pulumi.paris.yaml"), join(program, ".frontdoor-fleet.paris.yaml")];
  try {
    mkdirSync(program);
    writeFileSync(join(program, "Pulumi.yaml"), "name: site\nruntime: nodejs\n");
    writeFileSync(settings, "config: { site:left: of a killed operation }\n");
    writeFileSync(kept, "config: { site:own: of the checkout }\n");
    const watch = { begun: () => undefined, over: () => undefined } as unknown as Watch;
    const place = { root, env: { PASS: "p" }, pulumi: { command: "false", version: null } as never, watch };
    const stack = {
      name: "paris",
      program: "site",
      frontDoor: "fd-1",
      config: {},
      secrets: {},
      labels: {},
      dependsOn: [],
      wave: "all",
    };
    const asked = {
      operation: "up" as const,
      stack,
      backend: "file:///nowhere",
      passphrase: "env:PASS",
      lostAfterSeconds: 60,
      isAfterLoss: false,
    };
    const ends = { inOrder: new AbortController().signal, lostAfterSeconds: 60 };
    const run = new StackRun(asked, place, new Secrets(root, place.env), ends);
    await assert.rejects(run.operate(new Events()), /the engine failed/);
    assert.equal(readFileSync(settings, "utf8"), "config: { site:own: of the checkout }\n");
    assert.deepEqual(readdirSync(program), ["Pulumi.paris.yaml", "Pulumi.yaml"]);
  } finally {
    rmSync(root, { recursive: true });
  }
});

describe("the kind of a failure", () => {
  const label = "GET /v2/fd-1/ipsec-tunnels";
  const all: [line: string, kind: string][] = [
    [`${label}: 503 from the server`, "unreachable"],
    [`${label}: no answer within 30 s`, "unreachable"],
    [`${label} (ECONNREFUSED); nothing was reached there: check frontdoor:baseUrl`, "unreachable"],
    [`${label} (connection lost)`, "unreachable"],
    ["POST the token URL: 503; try again later", "unreachable"],
    [
      "error: unable to open bucket [secret]: failed to create table pulumi_state: pq: duplicate key value",
      "unreachable",
    ],
    ["error: dial tcp 10.0.0.1:5432: connect: connection refused", "unreachable"],
    [`${label}: 403 not_found: …; this front door was not found for this token`, "failed"],
    ['peerCidr: "10.300.0.0/16" is no IPv4 network', "failed"],
    ["error: the stack is currently locked by 1 lock(s).", "locked"],
  ];
  for (const [line, kind] of all)
    it(`is ${kind}: ${line}`, () => {
      assert.equal(kindOf([line]), kind);
    });

  it("is unreachable only where every error is", () => {
    assert.equal(kindOf(all.slice(0, 8).map(([line]) => line)), "failed");
    assert.equal(kindOf([]), "failed");
  });

  it("comes with one line for all errors", () => {
    const events = new Events();
    const error = (message: string) => {
      events.on({ sequence: 0, timestamp: 0, diagnosticEvent: { severity: "error", color: "", message } });
    };
    error("<{%fg 1%}>one\nline<{%reset%}>\n    at program (index.js:1:2)\n    at main\n");
    error("update failed");
    error("another");
    assert.deepEqual(events.failure("error: x"), { kind: "failed", reason: "one line (and 1 more)" });
    assert.deepEqual(new Events().failure("warning: y\nerror: x\n"), { kind: "failed", reason: "error: x" });
  });
});

describe("the codec", () => {
  const payload = { metadata: { encoding: Buffer.from("json/plain") }, data: Buffer.from('"canary"') };
  const key = Buffer.alloc(32, 7);

  it("encrypts what it is given, and gives it back", async () => {
    const codec = new EncryptingCodec(key);
    const [sealed = {}] = await codec.encode([payload]);
    assert.doesNotMatch(Buffer.from(sealed.data ?? []).toString("latin1"), /canary|json/);
    const [opened] = await codec.decode([sealed]);
    assert.deepEqual(opened, payload);
    assert.deepEqual(await codec.decode([payload]), [payload]);
  });

  it("does not open what was changed, or what another key has sealed", async () => {
    const codec = new EncryptingCodec(key);
    const [sealed = {}] = await codec.encode([payload]);
    const changed = Buffer.from(sealed.data ?? []);
    changed.writeUInt8(changed.readUInt8(20) ^ 1, 20);
    await assert.rejects(codec.decode([{ ...sealed, data: changed }]));
    await assert.rejects(new EncryptingCodec(Buffer.alloc(32, 8)).decode([sealed]));
  });

  it("is there with a key of 32 bytes alone", () => {
    assert.equal(dataConverterOf({}).payloadCodecs, undefined);
    assert.equal(dataConverterOf({ FRONTDOOR_FLEET_KEY: key.toString("base64") }).payloadCodecs?.length, 1);
    assert.throws(() => dataConverterOf({ FRONTDOOR_FLEET_KEY: "short" }), /32 bytes/);
  });
});
