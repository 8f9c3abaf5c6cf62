import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import { Allowed } from "../src/allowed.ts";
import { Events } from "../src/events.ts";
import { Secrets } from "../src/secrets.ts";

const token = "token-of-forty-letters-that-nobody-may-see";
const secretsOf = (env: NodeJS.ProcessEnv, root = "/nowhere") =>
  new Secrets(root, env, new Allowed(root, { secrets: [...Object.keys(env).map((name) => `env:${name}`), "file:"] }));

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
    assert.equal(reasonOf(`${"x".repeat(490)}${token}`), `${"x".repeat(490)}[secret]`);
  });

  it("holds no secret whose white space was collapsed", () => {
    const secret = "first line\n\n   second line";
    for (const text of [secret, JSON.stringify(secret), encodeURIComponent(secret)])
      assert.doesNotMatch(reasonOf(`refused: ${text}`, secret), /line/);
  });

  it("holds no secret that control sequences split", () => {
    assert.equal(
      reasonOf(`<{%fg 1%}>no ${token.slice(0, 9)}\x1b[31m\x9b0m\u200b${token.slice(9)}<{%reset%}>`),
      "no [secret]",
    );
  });

  it("holds none of the spellings that the provider's redactor knows", () => {
    const secret = "pässword/+~with=signs";
    const base64 = Buffer.from(`x:${secret}`).toString("base64");
    const form = new URLSearchParams({ p: secret }).toString();
    const text = [secret, base64, base64.replace(/=+$/, ""), form, secret.replaceAll("/", "\\/")].join(" ");
    assert.doesNotMatch(reasonOf(text, secret), /with|d2l0a/);
  });

  it("holds no control characters and no sequences of a terminal", () => {
    const text = "\x1b]0;title\x07a\x1b[2Jb\x9b31mc\u202ed\x00\x7f\x1b]8;;http://x.example\x1b\\e\x1bc\r\tf";
    assert.equal(reasonOf(text), "abcdec f");
  });

  it("is made in linear time", () => {
    // Each takes hours where an expression goes over the rest again at each letter.
    for (const text of ["\n", " ", "\x1b]", "\x1b[", "<{%", "\n at"].map((part) => part.repeat(1_000_000)))
      assert.ok(reasonOf(`a${text}b`).length <= 500);
  });

  it("is without secrets also where the engine wrote it to standard error", () => {
    const secrets = secretsOf({ TOKEN: "line one\nerror: line two" });
    secrets.value("env:TOKEN");
    const { reason } = new Events().failure("error: line one\nerror: line two", (text) => secrets.clean(text));
    assert.equal(reason, "error: [secret]");
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
        new Allowed(folder, { secrets: ["env:TOKEN", "file:key"] }),
      );
      assert.equal(secrets.value("env:TOKEN"), "tok-1");
      assert.equal(secrets.value("file:key"), 'a"b c/d');
      assert.equal(secrets.clean('tok-1 a"b c/d a\\"b c/d'), "[secret]");
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it("that are missing are named by their reference", () => {
    const secrets = new Secrets("/nowhere", {}, new Allowed("/nowhere", { secrets: ["env:TOKEN", "file:x"] }));
    assert.throws(() => secrets.value("env:TOKEN"), /env:TOKEN: this worker has no such variable/);
    assert.throws(() => secrets.value("file:x"), /file:x: this worker can't read the file \(ENOENT\)/);
  });

  it("inside the address of a back end are redacted by themselves", () => {
    const addresses = {
      "postgres://user:p%40ss-1@db/state": "p@ss-1 p%40ss-1",
      "postgres://user:left/right@db/state": "left/right left right",
      "postgres:///state?host=db&user=u&password=other-1&sslmode=off": "other-1",
    };
    for (const [address, text] of Object.entries(addresses)) {
      const secrets = secretsOf({ STATE: address });
      assert.equal(secrets.backend("env:STATE"), address);
      assert.match(secrets.clean(text), /^(\[secret\] ?)+$/, address);
    }
    assert.equal(secretsOf({}).backend("file:///state"), "file:///state");
  });
});
