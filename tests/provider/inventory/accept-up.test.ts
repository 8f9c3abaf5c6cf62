import type { TunnelConfigEntry } from "../../../provider/fields/types";
import { acceptUp } from "../../../provider/waiting/acceptors";

const seen = (status: string, ...entries: TunnelConfigEntry[]) => ({ status, entries });
const message = { statusMessage: "no\nproposal" };

describe("a connection counts as UP", () => {
  it.each<[string, TunnelConfigEntry[]]>([
    ["if its entry is UP", [{ status: "UP" }]],
    ["in any letter case", [{ status: "Up " }]],
    ["if one of several entries is UP", [{ status: "DOWN" }, {}, { status: "up" }]],
  ])("%s", (_when, entries) => {
    expect(acceptUp(seen("DEPLOYED", ...entries))).toEqual({ now: "done", value: entries });
  });
});

it.each<[string, ReturnType<typeof seen>, string]>([
  ["the entry is DOWN", seen("DEPLOYED", { status: "DOWN" }), "DOWN"],
  [
    "several entries are DOWN",
    seen("DEPLOYED", { status: "DOWN", ...message }, { status: "DOWN" }),
    "DOWN (no proposal)",
  ],
  ["the status is unknown", seen("DEPLOYED", { status: "UPDATING" }), "UPDATING"],
  ["the status is missing", seen("DEPLOYED", message), "without a status (no proposal)"],
  ["the entry is missing", seen("DEPLOYED"), "not shown by the service"],
  ["the tunnel is NEW", seen("NEW"), "without a connection, as the tunnel is NEW"],
  ["the tunnel has an unknown status", seen("PAUSED"), "without a connection, as the tunnel is PAUSED"],
])("the wait goes on if %s", (_when, connection, words) => {
  expect(acceptUp(connection)).toEqual({ now: "waiting", seen: words });
});

it.each([
  ["is in ERROR", seen("ERROR"), "the tunnel is ERROR"],
  ["is being deleted", seen("DELETING"), "the tunnel is DELETING"],
  ["is deleted", seen("DELETED"), "the tunnel is DELETED"],
  ["is proved to be gone", undefined, "the tunnel no longer exists"],
])("the wait ends if the tunnel %s", (_when, connection, reason) => {
  expect(acceptUp(connection)).toEqual({ now: "failed", reason });
});
