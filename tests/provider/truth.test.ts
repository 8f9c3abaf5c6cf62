import { type Goal, lastWriteIn, type Past, progressOf, settlesAtOf } from "../../provider/converge/progress";
import { rules, type ShareInputs, type ShareOutputs } from "../../provider/fields/share";
import { shares } from "../../provider/resources/share";
import { VirtualClock } from "../harness/virtual-clock";
import { shareInputs } from "../harness/world";

const goal: Goal = { want: { target: "new.internal:1" } };
const clearing: Goal = { want: { target: "new.internal:1" }, before: { locationId: "loc-2" } };
const gone: Goal = { want: "gone" };
const shown = (status: string, fields: object = { target: "new.internal:1" }) => ({ status, ...fields });
const old = { target: "old.internal:1" };

/** What a reading means `sinceWriteMs` after a write over DEPLOYED, if nothing else has shown since. */
const now = (of: Goal, seen: ReturnType<typeof shown> | undefined, past: Partial<Past> = {}) =>
  progressOf(of, seen, {
    isSettled: false,
    sinceWriteMs: 1_000,
    statusBefore: "DEPLOYED",
    statuses: new Set(seen && [seen.status]),
    ...past,
  }).now;

describe("the truth: a reading", () => {
  const since = new Set(["UPDATING", "DEPLOYED"]);
  it.each<[string, Goal, ReturnType<typeof shown> | undefined, Partial<Past>, before: string, after: string]>([
    ["of what was sent, at once and with the old status", goal, shown("DEPLOYED"), {}, "wait", "done"],
    ["of what was sent, after 3 s", goal, shown("DEPLOYED"), { sinceWriteMs: 3_000 }, "done", "done"],
    ["of what was sent, after another status", goal, shown("DEPLOYED"), { statuses: since }, "done", "done"],
    ["of what a create has sent", goal, shown("DEPLOYED"), { statusBefore: undefined }, "done", "done"],
    ["that lacks what was sent", goal, shown("DEPLOYED", {}), { sinceWriteMs: 3_000 }, "wait", "done"],
    [
      "that shows what was cleared",
      clearing,
      shown("DEPLOYED", { target: "new.internal:1", locationId: "loc-2" }),
      { sinceWriteMs: 3_000 },
      "wait",
      "done",
    ],
    [
      "that shows what was cleared, after work that was under way before the write",
      clearing,
      shown("DEPLOYED", { target: "new.internal:1", locationId: "loc-2" }),
      { statusBefore: "NEW", statuses: new Set(["NEW", "DEPLOYED"]), sinceWriteMs: 3_000 },
      "wait",
      "done",
    ],
    ["at work", goal, shown("UPDATING"), {}, "wait", "wait"],
    ["at a status that nobody knows", goal, shown("PAUSED"), {}, "wait", "wait"],
    [
      "of ERROR after another status",
      goal,
      shown("ERROR"),
      { statuses: new Set(["UPDATING", "ERROR"]) },
      "failed",
      "failed",
    ],
    ["of ERROR alone", goal, shown("ERROR"), {}, "wait", "failed"],
    ["of ERROR, of a create", goal, shown("ERROR"), { statusBefore: undefined }, "failed", "failed"],
    ["of other values", goal, shown("DEPLOYED", old), { sinceWriteMs: 3_000 }, "wait", "differs"],
    ["that somebody deletes it", goal, shown("DELETING"), {}, "failed", "failed"],
    ["of nothing", goal, undefined, {}, "wait", "gone"],
    ["of nothing, where it has to be gone", gone, undefined, {}, "done", "done"],
    ["of DELETED, where it has to be gone", gone, shown("DELETED"), {}, "done", "done"],
    ["of DELETING, where it has to be gone", gone, shown("DELETING"), {}, "wait", "wait"],
    ["of ERROR alone, after a DELETE", gone, shown("ERROR"), {}, "wait", "failed"],
  ])("%s", (_what, of, seen, past, before, after) => {
    expect([now(of, seen, past), now(of, seen, { ...past, isSettled: true })]).toEqual([before, after]);
  });
});

describe("the time from which a reading is the truth", () => {
  const clock = new VirtualClock(() => undefined);
  const after = (ms: number) =>
    lastWriteIn(clock, { __settlesAt: clock.wall() + ms }, 40_000).settlesAtMs - clock.now();

  it("is kept in wall-clock time, as long as it is to come", () => {
    const inMs = (ms: number) => settlesAtOf(clock, { atMs: 0, settlesAtMs: clock.now() + ms });
    expect([inMs(20_000), inMs(0), inMs(-1)]).toEqual([clock.wall() + 20_000, undefined, undefined]);
  });

  it.each([
    ["a state of before", -1, -Infinity],
    ["a state of now", 20_000, 20_000],
    ["a clock that was set back by a day", 86_400_000, 82_000],
  ])("is taken from %s", (_what, ms, expected) => {
    expect(after(ms)).toBe(expected);
  });

  it("has passed for a state without the note", () => {
    expect(lastWriteIn(clock, {}, 40_000).settlesAtMs).toBe(-Infinity);
  });
});

describe("the write of a share", () => {
  const inputs = shareInputs("tnl-1");
  const located: ShareInputs = { ...inputs, locationId: "loc-2" };
  const state = (of: ShareInputs, status: string): ShareOutputs => ({ ...of, status, __set: rules.setBy(of) });
  const put = { method: "PUT", want: rules.fullBody(inputs), before: {} };

  it.each([
    [
      "an argument is changed",
      state(inputs, "DEPLOYED"),
      { ...inputs, target: "b:1" },
      { method: "PATCH", want: { target: "b:1" }, before: { target: inputs.target } },
    ],
    ["an argument is removed", state(located, "DEPLOYED"), inputs, { ...put, before: { locationId: "loc-2" } }],
    ["the share failed", state(inputs, "ERROR"), inputs, put],
    [
      "the share failed, and an argument is changed",
      state(inputs, "ERROR"),
      { ...inputs, target: "b:1" },
      { ...put, want: { ...put.want, target: "b:1" }, before: { target: inputs.target } },
    ],
    ["nothing is changed", state(inputs, "DEPLOYED"), inputs, undefined],
    ["nothing is changed, and it is unfinished", state(inputs, "NEW"), inputs, undefined],
  ] as const)("if %s", (_what, olds, news, write) => {
    expect(shares.plan(olds, news)).toEqual(write);
  });
});
