import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type FleetFile, readFleet } from "../src/fleet.ts";
import type { Entry, Operation } from "../src/operation.ts";
import { due, entriesOf, skipHopeless } from "../src/order.ts";
import { exitCode, reportText, stateText } from "../src/report.ts";

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
    assert.deepEqual(names(entries()), ["first", "web", "net", "far"]);
    const down = entries("destroy");
    assert.deepEqual(names(down), ["web", "net", "far", "first"]);
    assert.deepEqual(
      down.map(({ needs }) => needs),
      [[], ["web"], [], []],
    );
  });

  it("leaves out what was not chosen, also where others need it", () => {
    assert.deepEqual(
      entries("up", ["web"]).map(({ needs }) => needs),
      [[]],
    );
  });

  it("begins what needs nothing that is not done, so many at a time on each front door", () => {
    assert.deepEqual(names(due(entries(), "rest", 5)), ["net", "far"]);
    assert.deepEqual(names(due(set(entries(), { net: "done" }), "rest", 5)), ["web", "far"]);
    assert.deepEqual(names(due(set(entries(), { net: "done", first: "running" }), "rest", 1)), ["web"]);
    assert.deepEqual(names(due(set(entries("up", ["net", "far"]), {}), "rest", 1)), ["net", "far"]);
  });

  it("skips what needs a stack that failed, and what needs that", () => {
    const all = set(entries(), { first: "done", net: "failed" });
    skipHopeless(all, fleet.waves);
    assert.deepEqual(all.map(stateText), [
      "unchanged",
      "skipped: needs net, which did not succeed",
      "failed",
      "waiting",
    ]);
  });

  it("stops a wave, and those after it, at its number of failures", () => {
    const all = set(entries(), { first: "failed" });
    skipHopeless(all, fleet.waves);
    assert.deepEqual(all.slice(1).map(stateText), Array(3).fill("skipped: wave canary was stopped: 1 failed"));

    const rest = set(entries("up", ["net", "far"]), { net: "failed" });
    skipHopeless(rest, fleet.waves);
    assert.deepEqual(names(due(rest, "rest", 1)), ["far"]);
  });

  it("stops the waves that come after it in a destroy, which are those before it in the file", () => {
    const all = set(entries("destroy"), { web: "failed", far: "failed" });
    skipHopeless(all, fleet.waves.toReversed());
    assert.deepEqual(
      all.filter(({ state }) => state === "skipped").map(({ name }) => name),
      ["net", "first"],
    );
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
    assert.equal(reportText(report).split("\n")[0], "first  fd-2  canary  2 create, 1 update, attempt 2");
    assert.equal(reportText(report).split("\n").at(-1), "up of 4 stacks: 4 done");
  });

  it("ends with 0 where all is done, and with 1 where a stack is not or drift was found", () => {
    assert.equal(exitCode(report), 0);
    assert.equal(exitCode({ ...report, operation: "drift" }), 1);
    assert.equal(exitCode({ ...report, stacks: set(entries(), { first: "skipped" }) }), 1);
  });
});
