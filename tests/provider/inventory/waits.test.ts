import { Inventory } from "../../../provider/waiting/lists";
import { type Poll, Poller } from "../../../provider/waiting/poller";
import { acceptDeployed } from "../../../provider/waiting/acceptors";
import { VirtualClock } from "../virtual-clock";

const open = (statusAt: (ms: number) => string = () => "NEW") => {
  const clock = new VirtualClock(() => undefined);
  const polls: { atMs: number; ids: string[] }[] = [];
  const poll: Poll<{ status: string }> = (asks) => {
    polls.push({ atMs: clock.now(), ids: asks.map(({ question }) => question.id) });
    for (const { answer } of asks) answer({ status: statusAt(clock.now()) });
  };
  return { clock, polls, poller: new Poller(poll, clock) };
};

describe("waits that share polls", () => {
  it("each have their last poll at their own deadline, even if others took them along shortly before", async () => {
    const { clock, polls, poller } = open();
    const endsOf = async (id: string, startMs: number, deadlineMs: number) => {
      await clock.sleep(startMs);
      expect(await poller.wait(id, acceptDeployed, { deadlineMs })).toMatchObject({ why: "timed-out" });
      return clock.now();
    };
    const ends = await Promise.all([endsOf("early", 0, 60_000), endsOf("late", 50_000, 90_000)]);
    expect(ends).toEqual([60_000, 90_000]);
    expect(polls.filter(({ ids }) => ids.length === 2).length).toBeGreaterThan(3);
    for (const [id, atMs] of Object.entries({ early: 60_000, late: 90_000 }))
      expect(polls.findLast(({ ids }) => ids.includes(id))?.atMs).toBe(atMs);
  });

  it("begin with a poll at once, or half a second after one that has found something under way", async () => {
    const { clock, polls, poller } = open();
    const until = { deadlineMs: 5_000 };
    const begin = async (id: string, startMs: number) => {
      await clock.sleep(startMs);
      return poller.wait(id, acceptDeployed, until);
    };
    await Promise.all([begin("a", 0), begin("b", 100), begin("c", 200)]);
    const firstOf = (id: string) => polls.find(({ ids }) => ids.includes(id))?.atMs ?? NaN;
    expect(firstOf("a")).toBeLessThan(10);
    expect([firstOf("b"), firstOf("c")]).toEqual([firstOf("a") + 500, firstOf("a") + 500]);
  });
});

it("a wait goes on at a status that the specification does not have, and names it at the deadline", async () => {
  const { poller } = open(() => "REBALANCING");
  const end = await poller.wait("shr-1", acceptDeployed, { startedMs: 0, deadlineMs: 60_000 });
  expect(end).toMatchObject({ why: "timed-out", reason: "still REBALANCING after 60 s" });
});

it("a wait reports how it stands: what is seen, for how long, and the limit", async () => {
  const { poller } = open((ms) => (ms % 100_000 < 40_000 ? "NEW" : "DEPLOYED"));
  const reports: string[] = [];
  const report = (progress: string) => reports.push(progress);
  await poller.wait("shr-1", acceptDeployed, { startedMs: 0, deadlineMs: 1_800_000, report }, "create");
  expect(reports.slice(0, 2)).toEqual(["NEW for 0 s, limit 30 min", "NEW for 1 s, limit 30 min"]);
});

describe("what is stopped", () => {
  it("ends at once, be it a wait or a question whose list never comes", async () => {
    const clock = new VirtualClock(() => undefined);
    const never = () => new Promise<never>(() => undefined);
    const calls = { list: never, listWhole: never, get: never, changeCount: 0 };
    const inventory = new Inventory(calls, clock, () => true, true);
    const stopping = new AbortController();
    const until = { deadlineMs: Infinity, signal: stopping.signal };
    const all = Promise.allSettled([
      inventory.wait("shr-1", acceptDeployed, until),
      inventory.named("web", until),
      inventory.entry("shr-1", until),
    ]);
    await clock.sleep(1_000);
    stopping.abort("stopped");
    expect(await all).toMatchObject([
      { value: { why: "timed-out", reason: "still not yet seen when the run was stopped" } },
      { reason: { trouble: { kind: "timed-out" } } },
      { value: undefined },
    ]);
    expect(clock.now()).toBe(1_000);
    expect(await inventory.wait("shr-1", acceptDeployed, until)).toMatchObject({ why: "timed-out" });
  });
});
