import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Events, kindOf } from "../src/events.ts";

describe("the kind of a failure", () => {
  const label = "GET /v2/fd-1/ipsec-tunnels";
  const all: [line: string, kind: string][] = [
    [`${label}: 503 from the server. Try again later. [service-trouble]`, "unreachable"],
    [`${label}: no answer within 30 s. Try again later. [no-answer]`, "unreachable"],
    [
      `${label}: nothing was reached at gw.example.com (ECONNREFUSED). Check the address in frontdoor:baseUrl. [unreachable]`,
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
    const clean = (text: string) => text;
    assert.deepEqual(events.failure("error: x", clean), { kind: "failed", reason: "one line (and 1 more)" });
    assert.deepEqual(new Events().failure("warning: y\nerror: x\n", clean), { kind: "failed", reason: "error: x" });
  });
});
