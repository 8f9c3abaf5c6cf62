import { Inventory } from "../../provider/waiting/lists";
import { type Poll, Poller, pollTogether } from "../../provider/waiting/poller";
import { acceptDeployed, acceptDeleted, acceptUp } from "../../provider/waiting/acceptors";
import { VirtualClock } from "./virtual-clock";
import type { Query } from "../../provider/api/lists";
import { FrontdoorError } from "../../provider/errors";
import type { TunnelConfigEntry } from "../../provider/fields/types";

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

interface Row {
  id: string;
  madeMs: number;
  readyMs: number;
  deletedMs?: number;
  goneMs?: number;
}

interface Choices {
  /** Which values of the filter count. */
  honoured?: (values: string[]) => string[];
  listLagMs?: number;
  isDeletingHidden?: boolean;
}

/** A service whose lists behave as chosen; it counts what it is asked for. */
function service({ honoured = (values) => values, listLagMs = 0, isDeletingHidden = false }: Choices = {}) {
  const clock = new VirtualClock(() => undefined);
  const rows = new Map<string, Row>();
  const asked = { lists: 0, gets: 0 };
  const entryAt = ({ id, madeMs, readyMs, deletedMs = Infinity, goneMs = Infinity }: Row, now: number) => {
    if (now < madeMs || now >= goneMs) return undefined;
    return { id, status: now >= deletedMs ? "DELETING" : now >= readyMs ? "DEPLOYED" : "NEW" };
  };
  const calls = {
    // eslint-disable-next-line @typescript-eslint/require-await
    async list(query: Query) {
      asked.lists += 1;
      const entries = honoured(query.map(([, id]) => id)).flatMap((id) => {
        const row = rows.get(id);
        const entry = row && entryAt(row, clock.now() - listLagMs);
        return entry && !(isDeletingHidden && entry.status === "DELETING") ? [entry] : [];
      });
      const byId = new Map(entries.map((entry) => [entry.id, entry]));
      return {
        entries,
        byId,
        ids: new Set(entries.map(({ id }) => id)),
        odd: [],
        pagesRead: 1,
        pageCount: 1,
        lacks: 0,
        isWhole: true,
      };
    },
    get(id: string) {
      asked.gets += 1;
      const row = rows.get(id);
      return Promise.resolve(row && entryAt(row, clock.now()));
    },
  };
  const poller = new Poller(
    pollTogether(calls, () => true, clock),
    clock,
  );
  const until = () => ({ deadlineMs: clock.now() + 900_000 });
  const create = async (id: string, seconds: number) => {
    rows.set(id, { id, madeMs: clock.now(), readyMs: clock.now() + seconds * 1000 });
    return (await poller.wait(id, acceptDeployed, until(), "create")).now;
  };
  /** How long before its end a delete was taken for done, in ms. */
  const remove = async (id: string, seconds: number) => {
    const goneMs = clock.now() + seconds * 1000;
    rows.set(id, { id, madeMs: -Infinity, readyMs: -Infinity, deletedMs: clock.now(), goneMs });
    await poller.wait(id, acceptDeleted, until(), "delete");
    return goneMs - clock.now();
  };
  return { clock, asked, create, remove };
}

const many = <T>(count: number, make: (n: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, n) => make(n)));

describe("deletes seen through lists", () => {
  it.each<[string, Choices]>([
    ["honour the first 20 values of a filter", { honoured: (values) => values.slice(0, 20) }],
    ["honour the last 20", { honoured: (values) => values.slice(-20) }],
    ["honour the first one", { honoured: (values) => values.slice(0, 1) }],
    ["honour the last one", { honoured: (values) => values.slice(-1) }],
    ["honour none of more than 20", { honoured: (values) => (values.length > 20 ? [] : values) }],
    ["hide what is DELETING", { isDeletingHidden: true }],
  ])("are not done before they are where lists %s", async (_name, choices) => {
    const { clock, remove } = service(choices);
    const early = await many(40, async (n) => {
      await clock.sleep(n < 10 ? n * 300 : 40_000);
      return remove(`shr-${n}`, 90);
    });
    expect(Math.max(...early)).toBeLessThanOrEqual(0);
    // Found by reads at a slow pace, yet found.
    expect(Math.min(...early)).toBeGreaterThan(-60_000);
  });

  // If no list has shown an id as DELETING, only its own read proves that it is gone.
  it.each([
    ["together, none", 0, 90, 0],
    ["one after the other, none", 70, 2, 0],
    ["one after the other, gone before the first poll: one for each", 70, 0.2, 100],
    ["together, gone at once: one for each", 0, 0, 100],
  ])("cost reads by id only if no list has shown them as DELETING: %s", async (_name, apartMs, seconds, most) => {
    const { clock, remove, asked } = service();
    await many(100, async (n) => {
      await clock.sleep(n * apartMs);
      await remove(`shr-${n}`, seconds);
    });
    expect(asked.gets).toBeLessThanOrEqual(most);
  });
});

describe("lists that fail for good", () => {
  const broken = (isDown: () => boolean) => {
    const trouble = new FrontdoorError("500", { kind: "unreachable", mayHaveRun: true, status: 500 });
    return service({
      honoured: (values) => {
        if (isDown()) throw trouble;
        return values;
      },
    });
  };

  it("are replaced by reads by id after three failures, one list for each poll", async () => {
    const { create, remove, clock, asked } = broken(() => true);
    expect(new Set(await many(20, (n) => create(`shr-${n}`, 10)))).toEqual(new Set(["done"]));
    expect(clock.now()).toBeLessThan(15_000);
    expect(asked.gets).toBe(20 * (asked.lists - 3));
    const early = await many(20, (n) => remove(`shr-${n}`, 10));
    expect(Math.max(...early)).toBeLessThanOrEqual(0);
  });

  it("are asked for again once they answer", async () => {
    const { create, asked, clock } = broken(() => clock.now() < 20_000);
    expect(new Set(await many(20, (n) => create(`shr-${n}`, 60)))).toEqual(new Set(["done"]));
    const gets = asked.gets;
    await many(20, (n) => create(`other-${n}`, 30));
    expect(asked.gets).toBe(gets);
  });
});

describe("creates that lists never show", () => {
  it("are read by id after five seconds", async () => {
    const { create, asked } = service({ honoured: () => [] });
    expect(new Set(await many(20, (n) => create(`shr-${n}`, 10)))).toEqual(new Set(["done"]));
    expect(asked.gets).toBeLessThanOrEqual(20 * 7);
  });
});

describe("creates that lists show late", () => {
  it("are not all read by id at each tick", async () => {
    const { create, asked } = service({ listLagMs: 5_000 });
    const ended = await many(300, (n) => create(`shr-${n}`, 10));
    expect(new Set(ended)).toEqual(new Set(["done"]));
    expect(asked.gets).toBeLessThanOrEqual(150);
  });
});

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
