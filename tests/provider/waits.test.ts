import { Collection } from "../../provider/api/collection";
import type { Query } from "../../provider/api/lists";
import { wireShare } from "../../provider/api/wire";
import { FrontdoorError } from "../../provider/errors";
import type { TunnelConfigEntry } from "../../provider/fields/types";
import type { Call, Client } from "../../provider/http/client";
import { acceptDeleted, acceptDeployed, acceptUp } from "../../provider/view/acceptors";
import { View } from "../../provider/view/view";
import { type Poll, Waits } from "../../provider/view/waits";
import type { Until } from "../../provider/time";
import { VirtualClock } from "./virtual-clock";
import { chosen, openShareWorld, shareInputs, type ShareWorld } from "./world";

/** A rate limiter that lets each poll go. */
const atOnce = () => Promise.resolve();

const open = (statusAt: (ms: number) => string = () => "NEW") => {
  const clock = new VirtualClock(() => undefined);
  const polls: { atMs: number; ids: string[] }[] = [];
  const poll: Poll<{ status: string }> = (asked) => {
    polls.push({ atMs: clock.now(), ids: asked.map(({ id }) => id) });
    return asked.map(() => Promise.resolve({ status: statusAt(clock.now()) }));
  };
  return { clock, polls, waits: new Waits(poll, clock) };
};

describe("waits that share polls", () => {
  it("each have their last poll at their own deadline, even if others took them along shortly before", async () => {
    const { clock, polls, waits } = open();
    const endsOf = async (id: string, startMs: number, deadlineMs: number) => {
      await clock.sleep(startMs);
      expect(await waits.wait(id, acceptDeployed, { deadlineMs })).toMatchObject({ why: "timed-out" });
      return clock.now();
    };
    const ends = await Promise.all([endsOf("early", 0, 60_000), endsOf("late", 50_000, 90_000)]);
    expect(ends).toEqual([60_000, 90_000]);
    expect(polls.filter(({ ids }) => ids.length === 2).length).toBeGreaterThan(3);
    for (const [id, atMs] of Object.entries({ early: 60_000, late: 90_000 }))
      expect(polls.findLast(({ ids }) => ids.includes(id))?.atMs).toBe(atMs);
  });

  it("begin with a poll at once, or half a second after one that has found something under way", async () => {
    const { clock, polls, waits } = open();
    const until = { deadlineMs: 5_000 };
    const begin = async (id: string, startMs: number) => {
      await clock.sleep(startMs);
      return waits.wait(id, acceptDeployed, until);
    };
    await Promise.all([begin("a", 0), begin("b", 100), begin("c", 200)]);
    const firstOf = (id: string) => polls.find(({ ids }) => ids.includes(id))?.atMs ?? NaN;
    expect(firstOf("a")).toBeLessThan(10);
    expect([firstOf("b"), firstOf("c")]).toEqual([firstOf("a") + 500, firstOf("a") + 500]);
  });
});

it("a wait goes on at a status that the specification does not have, and names it at the deadline", async () => {
  const { waits } = open(() => "REBALANCING");
  const end = await waits.wait("shr-1", acceptDeployed, { startedMs: 0, deadlineMs: 60_000 });
  expect(end).toMatchObject({ why: "timed-out", reason: "still REBALANCING after 60 s" });
});

it("a wait reports how it stands: what is seen, for how long, and the limit", async () => {
  const { waits } = open((ms) => (ms % 100_000 < 40_000 ? "NEW" : "DEPLOYED"));
  const reports: string[] = [];
  const report = (progress: string) => reports.push(progress);
  await waits.wait("shr-1", acceptDeployed, { startedMs: 0, deadlineMs: 1_800_000, report });
  expect(reports.slice(0, 2)).toEqual(["NEW for 0 s, limit 30 min", "NEW for 1 s, limit 30 min"]);
});

describe("what is stopped", () => {
  it("ends at once, be it a wait or a question whose list never comes", async () => {
    const clock = new VirtualClock(() => undefined);
    const never = (_asked: unknown, { signal }: Until) =>
      new Promise<never>((_, reject) => {
        const stop = () => {
          reject(new Error("stopped"));
        };
        if (signal?.aborted) stop();
        else signal?.addEventListener("abort", stop);
      });
    const calls = { list: never, listWhole: never, get: never, changeCount: 0 };
    const view = new View({ calls, clock, turn: atOnce, isComplete: () => true, matchesAny: true });
    const stopping = new AbortController();
    const until = { deadlineMs: Infinity, signal: stopping.signal };
    const all = Promise.allSettled([
      view.wait("shr-1", acceptDeployed, until),
      view.named("web", until),
      view.entry("shr-1", until),
    ]);
    await clock.sleep(1_000);
    stopping.abort("stopped");
    expect(await all).toMatchObject([
      { value: { why: "timed-out", reason: "still not yet seen when the run was stopped" } },
      { reason: { message: "stopped" } },
      { value: undefined },
    ]);
    expect(clock.now()).toBe(1_000);
    expect(await view.wait("shr-1", acceptDeployed, until)).toMatchObject({ why: "timed-out" });
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
  /** False if the service does not promise that a repeated filter matches any of its values. */
  matchesAny?: boolean;
}

/** A service whose lists behave as chosen; it counts what it is asked for. */
function service({
  honoured = (values) => values,
  listLagMs = 0,
  isDeletingHidden = false,
  matchesAny = true,
}: Choices = {}) {
  const clock = new VirtualClock(() => undefined);
  const rows = new Map<string, Row>();
  const asked = { lists: 0, gets: 0 };
  const entryAt = ({ id, madeMs, readyMs, deletedMs = Infinity, goneMs = Infinity }: Row, now: number) => {
    if (now < madeMs || now >= goneMs) return undefined;
    return { id, name: id, status: now >= deletedMs ? "DELETING" : now >= readyMs ? "DEPLOYED" : "NEW" };
  };
  const calls = {
    // eslint-disable-next-line @typescript-eslint/require-await
    list: async (query: Query) => {
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
        total: entries.length,
        isWhole: true,
      };
    },
    get(id: string) {
      asked.gets += 1;
      const row = rows.get(id);
      return Promise.resolve(row && entryAt(row, clock.now()));
    },
  };
  const view = new View({
    calls: { ...calls, listWhole: calls.list, changeCount: 0 },
    clock,
    turn: atOnce,
    isComplete: () => true,
    matchesAny,
  });
  const until = () => ({ deadlineMs: clock.now() + 900_000 });
  const create = async (id: string, seconds: number) => {
    rows.set(id, { id, madeMs: clock.now(), readyMs: clock.now() + seconds * 1000 });
    return (await view.wait(id, acceptDeployed, until(), { isNew: true })).now;
  };
  /** How long before its end a delete was taken for done, in ms. */
  const remove = async (id: string, seconds: number) => {
    const goneMs = clock.now() + seconds * 1000;
    rows.set(id, { id, madeMs: -Infinity, readyMs: -Infinity, deletedMs: clock.now(), goneMs });
    await view.wait(id, acceptDeleted, until());
    return goneMs - clock.now();
  };
  return { clock, asked, create, remove };
}

const many = <T>(count: number, make: (n: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, n) => make(n)));

describe("deletes seen through lists", () => {
  it.each<[string, Choices]>([
    ["need honour only the first value of a filter", { honoured: (values) => values.slice(0, 1), matchesAny: false }],
    ["need honour only the last value", { honoured: (values) => values.slice(-1), matchesAny: false }],
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
  ["the entry is missing", seen("DEPLOYED"), "not shown by Frontdoor"],
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

const until = { deadlineMs: Infinity };

const entry = { name: "s", ipsecTunnelId: "t", envZId: "e", target: "a:1", ingressPort: 1, status: "DEPLOYED" };

/** A front door of so many shares, and how its lists are. */
function frontDoor(count: number, { pageSize = 100, ignoresFilter = false } = {}) {
  const ids = Array.from({ length: count }, (_, n) => `s-${n}`);
  const lists: string[] = [];
  const clock = new VirtualClock(() => undefined);
  const client = {
    async call({ query, read }: Call) {
      const asked = new URLSearchParams(query);
      const wanted = new Set(asked.getAll("id"));
      lists.push(wanted.size > 0 ? `${wanted.size} ids` : `page ${asked.get("page") ?? ""}`);
      await clock.sleep(5);
      const matching = wanted.size === 0 || ignoresFilter ? ids : ids.filter((id) => wanted.has(id));
      const at = Number(asked.get("page")) * pageSize;
      const content = matching.slice(at, at + pageSize).map((id) => ({ ...entry, id }));
      return { status: 200, body: read?.({ content, totalElements: matching.length }, 200), location: undefined };
    },
  } as unknown as Client;
  const calls = new Collection(client, "/v2/fd-1/ipsec-shares", wireShare);
  const view = new View({ calls, clock, turn: atOnce, isComplete: () => true, matchesAny: true });
  /** Reads these, so many at a time; the number of those that a read by id has to tell. */
  const refresh = async (some: string[], parallel: number): Promise<number> => {
    const rest = [...some];
    let byId = 0;
    const slot = async () => {
      for (let id = rest.shift(); id !== undefined; id = rest.shift())
        if ((await view.entry(id, until))?.id !== id) byId += 1;
    };
    await Promise.all(Array.from({ length: parallel }, slot));
    return byId;
  };
  return { ids, lists, calls, clock, view, refresh };
}

/** Far from the order of lists. */
const scattered = (ids: string[]) => ids.map((_, n) => ids[(n * 377) % ids.length] ?? "");

describe("a refresh", () => {
  it.each([
    ["one after the other", 40, 1, 100, 2, 1],
    ["one after the other, many", 2000, 1, 100, 22, 21],
    ["sixteen at a time", 1001, 16, 100, 14, 0],
    ["sixteen at a time, many", 2000, 16, 100, 24, 0],
    ["on short pages", 300, 16, 20, 20, 0],
    ["on the shortest pages", 300, 16, 10, 42, 0],
    ["all at once on short pages", 300, 300, 20, 15, 0],
  ])("lists a front door about once: %s", async (_name, count, parallel, pageSize, mostLists, mostById) => {
    for (const order of [(ids: string[]) => ids, scattered]) {
      const { ids, lists, refresh } = frontDoor(count, { pageSize });
      expect(await refresh(order(ids), parallel)).toBeLessThanOrEqual(mostById);
      expect(lists.length).toBeLessThanOrEqual(mostLists);
    }
  });

  it.each([
    [1, 1],
    [3, 1],
    [3, 3],
    [300, 64],
  ])("asks for %i of ten thousand by their ids, %i at a time", async (count, parallel) => {
    const { ids, lists, refresh } = frontDoor(10_000);
    await refresh(scattered(ids).slice(-count), parallel);
    expect(lists.length).toBeLessThanOrEqual(Math.min(count, 6));
    expect(lists.filter((line) => line.startsWith("page")).length).toBeLessThanOrEqual(1);
  });

  it("asks for ids once only where the filter is ignored", async () => {
    const { ids, lists, refresh } = frontDoor(1001, { ignoresFilter: true });
    await refresh(scattered(ids), 16);
    expect(lists.length).toBeLessThanOrEqual(14);
    await refresh(ids.slice(0, 1), 1);
    expect(new Set(lists.filter((line) => line.endsWith("ids"))).size).toBeLessThanOrEqual(1);
  });

  it("forgets what it has listed after a while, and with every change", async () => {
    const { ids, lists, calls, clock, refresh } = frontDoor(30);
    await refresh(ids, 30);
    await clock.sleep(2_500);
    await refresh(ids, 30);
    expect(lists).toEqual(["page 0"]);
    await clock.sleep(1_000);
    await refresh(ids, 30);
    calls.changeCount += 1;
    await refresh(ids, 30);
    expect(lists).toEqual(["page 0", "page 0", "30 ids"]);
  });
});

describe("questions about names", () => {
  it("share a list, and a second question about a name gets a new one", async () => {
    const { lists, view } = frontDoor(30);
    expect(
      (await Promise.all(["s", "other"].map((name) => view.named(name, until)))).map(({ length }) => length),
    ).toEqual([30, 0]);
    expect(lists).toEqual(["page 0"]);
    await view.named("third", until);
    expect(lists).toHaveLength(1);
    await view.named("s", until);
    expect(lists).toHaveLength(2);
  });
});

describe("share seen through lists", () => {
  let { world, tunnelId, deployed } = {} as ShareWorld;
  const createMany = (count: number) =>
    Promise.all(
      Array.from({ length: count }, (_, n) =>
        world.shares.create(
          { ...shareInputs(tunnelId), name: `s-${n}`, ingressPort: 1000 + n },
          chosen,
          world.within(900),
        ),
      ),
    );

  beforeEach(async () => {
    ({ world, tunnelId, deployed } = await openShareWorld());
  });

  it("is refreshed by lists where many are: one for thirty, and a read for one", async () => {
    const made = await createMany(30);
    await world.clock.sleep(60_000);
    world.calls();
    const read = await Promise.all(made.map(({ id, outputs }) => world.shares.read(id, outputs, world.within(60))));
    expect(read).toEqual(made.map(({ outputs }) => outputs));
    expect(world.calls()).toEqual(["GET /ipsec-shares?page=0&size=100&sort=id%2Casc"]);
    await world.clock.sleep(60_000);
    const [first] = made;
    await world.shares.read(first?.id ?? "", first?.outputs ?? ({} as never), world.within(60));
    expect(world.calls()).toEqual([`GET /ipsec-shares/${first?.id}`]);
  });

  it("waits for an id that lists show in a shape that can't be read", async () => {
    const { id, outputs } = await deployed();
    world.emulator.settings.teardownMs = 8_000;
    let lists = 0;
    world.emulator.faults.onRequest({
      match: ({ method, path }) => method === "GET" && path === "/ipsec-shares" && ++lists > 1,
      times: 1_000,
      action: () => Promise.resolve(Response.json({ content: [{ id, name: null }], totalElements: 1 })),
    });
    await world.shares.delete(id, outputs, world.within(900));
    expect(world.emulator.shares().map(({ status }) => status)).toEqual(["DELETED"]);
  });
});
