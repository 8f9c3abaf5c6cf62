import { Collection } from "../../provider/api/collection";
import { wireShare } from "../../provider/api/wire";
import { Inventory } from "../../provider/waiting/lists";
import type { Call, Client } from "../../provider/http/client";
import { VirtualClock } from "./virtual-clock";
import { closeWorlds, chosen, openShareWorld, shareInputs, type ShareWorld } from "./world";

afterEach(closeWorlds);

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
  const inventory = new Inventory(calls, clock, () => true, true);
  /** Reads these, so many at a time; the number of those that a read by id has to tell. */
  const refresh = async (some: string[], parallel: number): Promise<number> => {
    const rest = [...some];
    let byId = 0;
    const slot = async () => {
      for (let id = rest.shift(); id !== undefined; id = rest.shift())
        if ((await inventory.entry(id, until))?.id !== id) byId += 1;
    };
    await Promise.all(Array.from({ length: parallel }, slot));
    return byId;
  };
  return { ids, lists, calls, clock, inventory, refresh };
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
    const { lists, inventory } = frontDoor(30);
    expect(
      (await Promise.all(["s", "other"].map((name) => inventory.named(name, until)))).map(({ length }) => length),
    ).toEqual([30, 0]);
    expect(lists).toEqual(["page 0"]);
    await inventory.named("third", until);
    expect(lists).toHaveLength(1);
    await inventory.named("s", until);
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
    expect(world.calls()).toEqual(["GET /ipsec-shares?page=0&size=100"]);
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
