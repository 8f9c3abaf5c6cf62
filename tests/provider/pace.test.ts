import { type FrontdoorError, troubleOf } from "../../provider/errors";
import { RateLimiter, type QueuedRequest } from "../../provider/http/pace";
import type { Received } from "../../provider/http/send";
import { VirtualClock } from "../harness/virtual-clock";
import {
  tunnelInputs,
  checkedIn,
  chosen,
  declaredOn,
  derived,
  openWithTunnel,
  openWorld,
  port,
  shareInputs,
  type World,
} from "../harness/world";
import { Random } from "../harness/random";

/** The most that fell into any one second. */
const busiest = (atMs: number[]) => {
  const inOrder = [...atMs].sort((a, b) => a - b);
  let from = 0;
  return inOrder.reduce((most, at, index) => {
    while (at - (inOrder[from] ?? at) >= 1000) from += 1;
    return Math.max(most, index - from + 1);
  }, 0);
};

const late = { deadlineMs: Infinity };

const write = { label: "POST /x", isRead: false, until: late };

const read = { label: "GET /x", isRead: true, until: late };

const done = { status: 200, headers: {}, text: "" };

const tooFast = (retryAfterMs?: number) => ({
  status: 429,
  headers: retryAfterMs === undefined ? {} : { "retry-after": String(retryAfterMs / 1000) },
  text: "",
});

/** Sends as the client does. */
async function sendBy(limiter: RateLimiter, turn: QueuedRequest, send: () => Promise<Received>): Promise<Received> {
  await limiter.admit(turn);
  const received = await send();
  limiter.heed(received, turn.until);
  return received;
}

describe("pace", () => {
  let clock: VirtualClock;
  beforeEach(() => {
    clock = new VirtualClock(() => undefined);
  });
  /** When so many calls arrive, each of which takes so long on its way and is answered then. */
  const sendMany = async (limiter: RateLimiter, count: number, wayMs: () => number = () => 0) => {
    const atMs: number[] = [];
    const send = async () => {
      const ms = wayMs();
      if (ms > 0) await clock.sleep(ms);
      atMs.push(clock.now());
      return done;
    };
    await Promise.all(Array.from({ length: count }, () => sendBy(limiter, write, send)));
    return atMs;
  };
  /** The service asks for a pause. */
  const pausedFor = (limiter: RateLimiter, ms: number) => sendBy(limiter, write, () => Promise.resolve(tooFast(ms)));

  it.each([0.5, 1, 2.5, 5, 20, 100])("sends %d a second, and once half as many more", async (perSecond) => {
    const atMs = await sendMany(new RateLimiter(perSecond, clock), Math.max(60, 5 * perSecond));
    const burst = Math.max(1, perSecond / 2);
    for (const secondsOfAll of [1, 2, 4, 10])
      expect(atMs.filter((at) => at < secondsOfAll * 1000).length).toBeLessThanOrEqual(
        burst + secondsOfAll * perSecond,
      );
    expect(clock.now()).toBeLessThanOrEqual((atMs.length / perSecond) * 1050);
  });

  it("lets none through in a pause, and no burst after it", async () => {
    const limiter = new RateLimiter(5, clock);
    await pausedFor(limiter, 10_000);
    const atMs = await sendMany(limiter, 30);
    expect(Math.min(...atMs)).toBeGreaterThanOrEqual(10_000);
    expect(busiest(atMs)).toBe(5);
  });

  it("sends nothing that waits once it is stopped, and leaves no timer behind", async () => {
    const limiter = new RateLimiter(20, clock);
    const stop = new AbortController();
    void clock.sleep(2000).then(() => {
      stop.abort();
    });
    const ends = await Promise.allSettled(
      Array.from({ length: 200 }, () =>
        sendBy(limiter, { ...write, until: { ...late, signal: stop.signal } }, () => Promise.resolve(done)),
      ),
    );
    const errors = ends.flatMap((end) => (end.status === "rejected" ? [end.reason as Error] : []));
    expect(clock.now()).toBe(2000);
    expect(errors.length).toBeGreaterThanOrEqual(150);
    expect(new Set(errors.map((error) => (error as { code?: string }).code))).toEqual(new Set(["stopped"]));
    expect(troubleOf(errors[0])).toEqual({ kind: "unreachable", mayHaveRun: false });
    const stopped = { ...read, until: { ...late, signal: stop.signal } };
    await expect(sendBy(limiter, stopped, () => Promise.resolve(done))).rejects.toThrow("stopped");
    await sendMany(limiter, 1);
    expect(clock.now()).toBeLessThanOrEqual(3000);
  });

  it("sends no write after its deadline, but a read: it can end a wait", async () => {
    const limiter = new RateLimiter(1, clock);
    const ends = [write, write, write, read, read].map((turn) =>
      sendBy(limiter, { ...turn, until: { deadlineMs: 1500 } }, () => Promise.resolve(done)).then(
        () => "sent",
        (error: unknown) => [(error as FrontdoorError).code, troubleOf(error)],
      ),
    );
    const notSent = ["not-sent", { kind: "unreachable", mayHaveRun: false }];
    expect(await Promise.all(ends)).toEqual(["sent", "sent", notSent, "sent", "sent"]);
    expect(clock.now()).toBe(3000);
  });
});

const isList = (call: string) => call.startsWith("GET /ipsec-shares?");
const isById = (call: string) => call.startsWith("GET /ipsec-shares/");
const inputsOf = (n: number) => ({ ...shareInputs("tnl-1"), name: `s-${n}`, ingressPort: 1 + n });

/** A world with the tunnel tnl-1. */
async function openOn(settings: Parameters<typeof openWorld>[0] = {}): Promise<World> {
  const world = await openWorld(settings);
  world.emulator.seedTunnel({ ...tunnelInputs, id: "tnl-1" });
  return world;
}

describe("waits share polls, and find an end soon after it", () => {
  const random = new Random(7);
  const between = (least: number, most: number) => least + random.next() * (most - least);

  it.each([
    ["120 s", 20, () => 120, 50, 12],
    ["900 s", 20, () => 900, 110, 90],
    ["120 to 900 s", 20, () => between(120, 900), 115, 90],
    ["3 to 20 s", 20, () => between(3, 20), 30, 2],
    ["120 s, one alone", 1, () => 120, 50, 12],
  ])("operations of %s", async (_name, count, secondsOf, mostPolls, mostLag) => {
    const world = await openOn();
    const moments = new Set<number>();
    world.emulator.settings.onAnswer = ({ method }) => method === "GET" && moments.add(world.clock.now());
    const lags = await Promise.all(
      Array.from({ length: count }, async (_, n) => {
        const { id } = world.emulator.seedShare(inputsOf(n));
        world.emulator.setStatus(id, "DELETING");
        const seconds = secondsOf();
        void world.clock.sleep(seconds * 1000).then(() => {
          world.emulator.removeShare(id);
        });
        await world.shares.delete(id, { ...inputsOf(n), status: "DELETING" }, world.within(3600));
        return world.clock.now() / 1000 - seconds;
      }),
    );
    expect(Math.min(...lags)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...lags)).toBeLessThanOrEqual(mostLag);
    expect(moments.size).toBeLessThanOrEqual(mostPolls);
  });
});

describe.each([
  [200, 20, 1_000],
  [400, 40, 0],
  [400, 40, 5_000],
])(
  "deletes of %d shares at the default of 20 requests a second take at most %d reads, if each takes %d ms and no list shows it afterwards",
  (count, mostReads, teardownMs) => {
    let [world, tunnelId] = [] as unknown as Awaited<ReturnType<typeof openWithTunnel>>;
    beforeEach(async () => {
      [world, tunnelId] = await openWithTunnel({ teardownMs, provisionMs: 0, deletedListed: false }, undefined, () => ({
        "frontdoor:requestsPerSecond": "20",
      }));
    });

    const all = Array.from({ length: count }, (_, n) => n);
    const inputsOfSet = (numbers: number[], olds?: object) => {
      const shares = Object.fromEntries(numbers.map((n) => [`s${n}`, port(n + 1)]));
      return checkedIn(world, declaredOn(tunnelId, shares), olds).inputs;
    };
    const createSet = async () => {
      const inputs = inputsOfSet(all);
      return { inputs, ...(await world.sets.create(inputs, derived, world.within(900))) };
    };

    /** Does this in the next run. */
    const expectFewReads = async (work: () => Promise<unknown>, deletes = count) => {
      world.nextRun();
      world.calls();
      const startedMs = world.clock.now();
      await work();
      const calls = world.calls();
      expect(calls.filter((line) => line.startsWith("DELETE "))).toHaveLength(deletes);
      expect(world.emulator.shares().filter(({ status }) => status === "DELETED")).toHaveLength(deletes);
      expect(calls.length - deletes).toBeLessThanOrEqual(mostReads);
      expect(world.clock.now() - startedMs).toBeLessThanOrEqual(1.05 * (deletes * 50 + teardownMs));
    };

    it("of a set", async () => {
      const { id, outputs } = await createSet();
      await expectFewReads(() => world.sets.delete(id, outputs, world.within(900)));
    });

    it("of removed keys", async () => {
      const { id, outputs, inputs } = await createSet();
      const fewer = inputsOfSet([0], inputs);
      await expectFewReads(() => world.sets.update(id, outputs, fewer, world.within(900)), count - 1);
    });

    it("of single shares", async () => {
      const create = (n: number) =>
        world.shares.create({ ...inputsOf(n), ipsecTunnelId: tunnelId }, chosen, world.within(900));
      const made = await Promise.all(all.map(create));
      await expectFewReads(() =>
        Promise.all(made.map(({ id, outputs }) => world.shares.delete(id, outputs, world.within(900)))),
      );
    });
  },
);

describe("a refresh", () => {
  /** A front door of so many shares, and reads of some of them, so many at a time. */
  const openFrontDoor = async (count: number, settings: object = {}) => {
    const world = await openOn({ ...settings, duplicateIngressPort: "allowed" });
    const shares = Array.from({ length: count }, (_, n) =>
      world.emulator.seedShare({ ...inputsOf(n), ingressPort: 1 }),
    );
    world.emulator.clock.advance(60_000);
    const refresh = async (some: number[], parallel: number) => {
      world.calls();
      const rest = [...some];
      const slot = async () => {
        for (let n = rest.shift(); n !== undefined; n = rest.shift()) {
          const state = { ...inputsOf(n), ingressPort: 1, status: "DEPLOYED" } as const;
          expect(await world.shares.read(shares[n]?.id ?? "", state, world.within(900))).toMatchObject({
            name: `s-${n}`,
          });
        }
      };
      await Promise.all(Array.from({ length: parallel }, slot));
      const calls = world.calls();
      return { lists: calls.filter(isList).length, byId: calls.filter(isById).length };
    };
    return { world, refresh };
  };
  const all = (count: number) => Array.from({ length: count }, (_, n) => n);
  /** Far from the order of lists. */
  const scattered = (count: number) => all(count).map((n) => (n * 377) % count);

  it.each([
    ["one after the other", 200, 1, 100, 4, 3],
    ["sixteen at a time", 1001, 16, 100, 14, 0],
    ["on short pages", 300, 16, 20, 20, 0],
    ["all at once on the shortest pages", 300, 300, 10, 42, 0],
  ])("lists a front door about once: %s", async (_name, count, parallel, maxPageSize, mostLists, mostById) => {
    const { refresh } = await openFrontDoor(count, { maxPageSize });
    const { lists, byId } = await refresh(scattered(count), parallel);
    expect(lists).toBeLessThanOrEqual(mostLists);
    expect(byId).toBeLessThanOrEqual(mostById);
  });

  it("forgets what it has listed after a while, and with every change", async () => {
    const { world, refresh } = await openFrontDoor(30);
    const asked = [];
    for (const pauseMs of [0, 2_500, 1_000]) {
      await world.clock.sleep(pauseMs);
      asked.push((await refresh(all(30), 30)).lists);
    }
    await world.shares.delete("shr-1", { ...inputsOf(0), status: "DEPLOYED" }, world.within(900));
    asked.push((await refresh(all(30).slice(1), 29)).lists);
    expect(asked).toEqual([1, 0, 1, 1]);
  });
});
