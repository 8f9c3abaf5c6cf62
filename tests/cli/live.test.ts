import { setImmediate as turn } from "node:timers/promises";
import { LiveView, dashboardReads } from "../../cli/dashboard/dashboard";
import type { Entry, ListReading, FrontDoorReads } from "../../cli/shared/monitor";
import { FrontdoorError } from "../../provider/errors";
import { VirtualClock } from "../harness/virtual-clock";
import { evaluate } from "./command";
import { World as ServiceWorld, configured, fill, many } from "./watch-world";

const about = { title: "Front door fd-1", address: "https://a.example/frontdoor" };
const entry = (id: string, status = "DEPLOYED"): Entry => ({ id, name: id, status, frontdoorId: "fd-1" });
const found = (entries: Entry[], pages = 1, isWhole = true): ListReading => ({ entries, pages, isWhole });

interface Parts {
  tunnels?: Entry[];
  shares?: Entry[];
  connections?: Record<string, { status?: string; trouble?: string; sinceMs?: number; isSinceExact?: boolean }>;
  poll?: { atMs: number; pauseMs: number; seenMs?: number; trouble?: string };
}

/** A service of which each list and connection is counted, at the time it was asked for. */
class World {
  readonly clock = new VirtualClock(() => undefined);
  tunnels = found([]);
  shares = found([]);
  readonly asked: string[] = [];
  readonly polledAtMs: number[] = [];
  trouble: Error | undefined;
  /** The status of all other connections. */
  status = "UP";
  readonly live = new LiveView(this.reads(), this.clock, about);

  private reads(): FrontDoorReads {
    const ask = (what: string) => turn().then(() => void this.asked.push(what));
    return {
      tunnels: async () => {
        await ask("tunnels");
        this.polledAtMs.push(this.clock.now());
        if (this.trouble) throw this.trouble;
        return this.tunnels;
      },
      shares: () => ask("shares").then(() => this.shares),
      connection: async (id) => {
        await ask(id);
        if (id === "tnl-bad") throw new FrontdoorError("no", { kind: "failed" });
        if (id === "tnl-half")
          return { state: "available", tunnels: [{ status: "UP" }, { status: "DOWN", statusMessage: "no answer" }] };
        return { state: "available", tunnels: [{ status: this.status }] };
      },
    };
  }

  /** Watches until what has been shown is as wanted, and gives that. */
  async until(isWanted: (parts: Parts) => boolean): Promise<Parts> {
    let parts: Parts = {};
    for await (const text of this.live.watch(new AbortController().signal)) {
      parts = { ...parts, ...(JSON.parse(text) as Parts) };
      if (isWanted(parts)) break;
    }
    return parts;
  }

  count(what: string): number {
    return this.asked.filter((each) => each === what).length;
  }
}

it("asks for nothing until someone watches, and for nothing more once nobody does", async () => {
  const world = new World();
  for (let turns = 0; turns < 20; turns++) await turn();
  expect(world.asked).toEqual([]);
  await world.until(({ shares }) => shares !== undefined);
  for (let turns = 0; turns < 50; turns++) await turn();
  const { length } = world.asked;
  for (let turns = 0; turns < 50; turns++) await turn();
  expect(world.asked).toHaveLength(length);
});

it("asks for one list of each kind, however many watch, and shows it to all of them", async () => {
  const world = new World();
  world.shares = found([entry("shr-1")]);
  const all = Array.from({ length: 5 }, () => world.until(({ shares }) => shares?.length === 1));
  for (const { shares } of await Promise.all(all)) expect(shares).toEqual([entry("shr-1")]);
  expect([world.count("tunnels"), world.count("shares")]).toEqual([1, 1]);
});

it("sends what has changed, and no part that has not", async () => {
  const world = new World();
  world.tunnels = found([entry("tnl-1")]);
  world.shares = found([entry("shr-1", "NEW")]);
  const watched = world.live.watch(new AbortController().signal);
  const sent: string[] = [];
  for await (const text of watched) {
    sent.push(text);
    if (text.includes('"shares"')) world.shares = found([entry("shr-1")]);
    if (text.includes('"shares":[{"id":"shr-1","name":"shr-1","status":"DEPLOYED"')) break;
  }
  expect(JSON.parse(sent[0] ?? "")).toEqual({ about });
  const partsOf = (text?: string) => Object.keys(JSON.parse(text ?? "") as Parts);
  expect(partsOf(sent.at(-1))).toEqual(expect.not.arrayContaining(["about", "tunnels"]));
  expect(sent.flatMap(partsOf).filter((part) => part === "tunnels")).toHaveLength(1);
});

it.each([
  [1, 800],
  [10, 4400],
])("with %i pages of shares polls %i ms after a poll", async (pages, pauseMs) => {
  const world = new World();
  world.shares = found([], pages);
  // Watching again at once does not make it poll earlier.
  await world.until(({ shares }) => shares !== undefined);
  await world.until(() => world.polledAtMs.length >= 4);
  expect(world.polledAtMs.slice(0, 3).map((ms) => ms - (world.polledAtMs[0] ?? 0))).toEqual([0, pauseMs, 2 * pauseMs]);
});

it("says what is the matter, keeps what was shown, and goes on", async () => {
  const world = new World();
  world.tunnels = found([entry("tnl-1")]);
  await world.until(({ tunnels }) => tunnels !== undefined);
  world.trouble = new FrontdoorError("GET /v2/fd-1/ipsec-tunnels: 503", { kind: "failed" });
  const during = await world.until(({ poll }) => poll?.trouble !== undefined);
  expect(during).toMatchObject({ tunnels: [entry("tnl-1")], poll: { trouble: "GET /v2/fd-1/ipsec-tunnels: 503" } });
  const { atMs = 0, seenMs = 0 } = during.poll ?? {};
  expect(seenMs).toBeLessThan(atMs);
  world.trouble = undefined;
  expect((await world.until(({ poll }) => poll !== undefined && poll.trouble === undefined)).tunnels).toHaveLength(1);
});

it("a list that can lack entries makes none of them go", async () => {
  const world = new World();
  world.shares = found([entry("shr-1"), entry("shr-2")]);
  await world.until(({ shares }) => shares?.length === 2);
  world.shares = found([entry("shr-3")], 2, false);
  const { shares } = await world.until(({ shares }) => shares?.length === 3);
  expect(shares?.map(({ id }) => id)).toEqual(["shr-3", "shr-1", "shr-2"]);
  world.shares = found([entry("shr-3")], 2);
  await world.until(({ shares }) => shares?.length === 1);
});

it("asks for each connection again after fifteen seconds, and for none of what is not DEPLOYED", async () => {
  const world = new World();
  world.tunnels = found([...Array.from({ length: 6 }, (_, index) => entry(`tnl-${index}`)), entry("tnl-new", "NEW")]);
  await world.until(({ connections }) => Object.keys(connections ?? {}).length === 6);
  const connections = world.asked.filter((each) => each.startsWith("tnl-"));
  expect(connections).toEqual([0, 1, 2, 3, 4, 5].map((each) => `tnl-${each}`));
  const firstMs = world.clock.now();
  await world.until(() => world.count("tnl-0") === 2);
  const againMs = world.clock.now() - firstMs;
  expect([againMs >= 14_500, againMs <= 17_000]).toEqual([true, true]);
});

it("shows each DOWN of 60 tunnels with 300 shares within 30 s, and sends at most ten requests a second", async () => {
  const world = new ServiceWorld();
  fill(world.tunnels, many("tnl", 60, { status: "DEPLOYED", connection: "UP" }));
  fill(world.shares, many("shr", 300, { status: "DEPLOYED" }));
  const down = [7, 23, 38, 51, 60].map((number) => `tnl-${number}`);
  for (const id of down) world.set(id, { connection: "DOWN" });
  const { polls } = dashboardReads(configured(), "fd-1", world.open);
  const live = new LiveView(polls, world.clock, about);
  const shown: string[][] = [];
  for await (const text of live.watch(new AbortController().signal)) {
    const { connections = {} } = JSON.parse(text) as Parts;
    shown.push(Object.keys(connections).filter((key) => connections[key]?.status === "DOWN"));
    if (shown.at(-1)?.length === down.length) break;
  }
  expect(world.clock.now()).toBeLessThan(30_000);
  expect(shown.at(-1)).toEqual(down.map((id) => `tunnel/fd-1/${id}`));
  expect(world.askedMs.length / (world.clock.now() / 1000)).toBeLessThanOrEqual(10);
});

it("is Live all the time with 3,000 shares, and on a small front door for ten seconds after the last read", async () => {
  const world = new ServiceWorld();
  fill(world.shares, many("shr", 3_000, { status: "DEPLOYED" }));
  const { polls } = dashboardReads(configured(), "fd-1", world.open);
  const heard: [atMs: number, poll: Parts["poll"]][] = [];
  for await (const text of new LiveView(polls, world.clock, about).watch(new AbortController().signal)) {
    const { poll } = JSON.parse(text) as Parts;
    if (poll) heard.push([world.clock.now(), poll]);
    if (world.clock.now() > 60_000) break;
  }
  // Just before each poll, the page has the one before.
  const moments = heard.slice(1).map(([nowMs], index) => [...(heard[index] ?? []), nowMs - 1]);
  const small: unknown[] = [0, { pauseMs: 800 }];
  const recent = (given: unknown) => evaluate("words.js", "given.map((moment) => isRecent(...moment))", given);
  expect(recent(moments)).toEqual([true, true, true, true]);
  expect(recent([9_999, 10_000].map((nowMs) => [...small, nowMs]))).toEqual([true, false]);
});

it("shows no key that the service puts into its words on a connection, and reads the sample configuration once for them", async () => {
  const world = new ServiceWorld();
  fill(
    world.tunnels,
    many("tnl", 1, { status: "DEPLOYED", connection: "DOWN", statusMessage: "peer sent Zx81kk2Lmno" }),
  );
  const { polls } = dashboardReads(configured(), "fd-1", world.open);
  const seen: string[] = [];
  for await (const text of new LiveView(polls, world.clock, about).watch(new AbortController().signal)) {
    seen.push(text);
    if (world.clock.now() > 60_000) break;
  }
  expect(seen.join()).toContain("peer sent [secret]");
  expect(seen.join()).not.toContain("Zx81kk2Lmno");
  expect(world.samples).toBe(1);
});

it("does not say since when a connection is as it is after a time without watchers", async () => {
  const world = new World();
  world.tunnels = found([entry("tnl-1")]);
  await world.until(({ connections }) => Object.keys(connections ?? {}).length === 1);
  await world.clock.sleep(3_600_000);
  world.status = "DOWN";
  const { connections } = await world.until((parts) => parts.connections?.["tunnel/fd-1/tnl-1"]?.status === "DOWN");
  expect(connections?.["tunnel/fd-1/tnl-1"]).toMatchObject({ isSinceExact: false });
});

it("tells of each connection, and of one that can't be read why", async () => {
  const world = new World();
  world.tunnels = found([entry("tnl-1"), entry("tnl-bad")]);
  const { connections } = await world.until((parts) => Object.keys(parts.connections ?? {}).length === 2);
  expect(connections).toMatchObject({
    "tunnel/fd-1/tnl-1": { state: "available", status: "UP" },
    "tunnel/fd-1/tnl-bad": { trouble: "no" },
  });
});

it("shows a tunnel with two connections as DOWN if one of them is", async () => {
  const world = new World();
  world.tunnels = found([entry("tnl-half"), entry("tnl-1")]);
  const { connections } = await world.until((parts) => Object.keys(parts.connections ?? {}).length === 2);
  expect(Object.values(connections ?? {})).toMatchObject([
    { status: "DOWN", statusMessage: "no answer" },
    { status: "UP" },
  ]);
});

describe("since when a connection is as it is", () => {
  const tunnel = "tunnel/fd-1/tnl-1";
  const one = () => {
    const world = new World();
    world.tunnels = found([entry("tnl-1")]);
    return world;
  };
  const shown = async (world: World, status: string) => {
    const { connections } = await world.until((parts) => parts.connections?.[tunnel]?.status === status);
    return connections?.[tunnel];
  };

  it("is at least since the first read, and exact for a change that was seen", async () => {
    const world = one();
    const first = await shown(world, "UP");
    expect(first?.isSinceExact).toBe(false);
    world.status = "DOWN";
    const changed = await shown(world, "DOWN");
    expect(changed?.isSinceExact).toBe(true);
    expect(changed?.sinceMs).toBeGreaterThan(first?.sinceMs ?? Infinity);
  });
});
