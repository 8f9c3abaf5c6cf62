import assert from "node:assert/strict";
import { afterEach, describe, it } from "node:test";
import { openClient, openWorkerConnection } from "../src/connection.ts";

describe("a connection to Temporal", () => {
  afterEach(() => {
    for (const name of ["TEMPORAL_ADDRESS", "TEMPORAL_TLS", "TEMPORAL_API_KEY"])
      Reflect.deleteProperty(process.env, name);
  });

  for (const address of [
    "192.0.2.1:7233",
    "temporal.invalid:7233",
    "127.0.0.1.evil.invalid:7233",
    "[2001:db8::1]:7233",
  ])
    it(`is refused in plain text to ${address}`, async () => {
      process.env["TEMPORAL_ADDRESS"] = address;
      await assert.rejects(openClient, /\[temporal-plain-text\]/);
      await assert.rejects(openWorkerConnection, /\[temporal-plain-text\]/);
      Object.assign(process.env, { TEMPORAL_API_KEY: "key", TEMPORAL_TLS: "false" });
      await assert.rejects(openClient, /\[temporal-plain-text\]/);
    });

  it("is tried in plain text on this machine, and by TLS elsewhere", async () => {
    for (const address of ["127.0.0.1:1", "localhost:1", "[::1]:1"]) {
      process.env["TEMPORAL_ADDRESS"] = address;
      await assert.rejects(openWorkerConnection, /can't be reached/);
    }
    Object.assign(process.env, { TEMPORAL_ADDRESS: "temporal.invalid:7233", TEMPORAL_TLS: "true" });
    await assert.rejects(openWorkerConnection, /can't be reached/);
  });
});
