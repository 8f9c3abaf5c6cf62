import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Allowed, Secrets } from "../src/allowed";
import { Events, kindOf } from "../src/events";

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

  it("holds none of the spellings that the provider's redactor knows", () => {
    const secret = "pässword/+~with=signs";
    const base64 = Buffer.from(`x:${secret}`).toString("base64");
    const form = new URLSearchParams({ p: secret }).toString();
    const text = [secret, base64, base64.replace(/=+$/, ""), form, secret.replaceAll("/", "\\/")].join(" ");
    expect(reasonOf(text, secret)).not.toMatch(/with|d2l0a/);
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
