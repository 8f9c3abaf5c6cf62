import { shareProperties, tunnelProperties } from "../../provider/functions/functions";
import * as sdk from "../../sdk";
import { emulator, type Entry, ids, must, sent, shares, tunnels } from "./entries";

const getTunnels = async (args: object) => (await sdk.getTunnels(args)).tunnels as unknown as Entry[];
const getShares = async (args: object) => (await sdk.getShares(args)).shares as unknown as Entry[];
const lists = [
  ["getTunnels", getTunnels, () => tunnels, tunnelProperties],
  ["getShares", getShares, () => shares, shareProperties],
] as const;

describe.each(lists)("%s", (_name, get, all, properties) => {
  it("gives every entry of more than three pages once", async () => {
    const found = await get({});
    expect(ids(found)).toEqual(ids(all()));
    expect(found).toHaveLength(25);
    expect(found.every((entry) => entry["frontdoorId"] === "fd-1")).toBe(true);
    // Each page twice: only two readings alike tell that nothing slipped between two pages.
    expect(sent()).toHaveLength(8);
  });

  it.each(properties)(
    "filters by %s, by one value and by several, whether or not the service does",
    async (property) => {
      const values = [...new Set(all().map((entry) => entry[property]))].filter((value) => value !== "").slice(1, 3);
      for (const filtersHonoured of [true, false]) {
        emulator.settings.filtersHonoured = filtersHonoured;
        for (const wanted of [values.slice(0, 1), values]) {
          const expected = all().filter((entry) => wanted.includes(entry[property] ?? null));
          expect(expected.length).toBeGreaterThan(0);
          expect(ids(await get({ [property]: wanted }))).toEqual(ids(expected));
        }
        expect(ids(await get({ [property]: values[0] }))).toEqual(ids(await get({ [property]: [values[0]] })));
      }
    },
  );

  it.each(properties.flatMap((property) => [`${property},asc`, `${property},desc`]))(
    "sorts by %s, whether or not the service does",
    async (sort) => {
      const [property = "", direction] = sort.split(",");
      const sign = direction === "asc" ? 1 : -1;
      const rank = (value: string | number | null | undefined) =>
        typeof value === "number" ? String(value).padStart(6, "0") : (value ?? "");
      const expected = all()
        .map((entry) => rank(entry[property]))
        .sort((a, b) => sign * (a < b ? -1 : a > b ? 1 : 0));
      const ranks = (found: Entry[]) => found.map((entry) => rank(entry[property]));
      expect(ranks(await get({ sort }))).toEqual(expected);
      emulator.faults.onRequest({
        match: ({ query }) => query.includes("sort"),
        times: 4,
        action: async (work) => {
          const page = (await (await work()).json()) as { content: object[] };
          return Response.json({ ...page, content: page.content.reverse() });
        },
      });
      expect(ranks(await get({ sort }))).toEqual(expected);
      emulator.faults.clear();
    },
  );

  it("wants all given filters at once", async () => {
    const [first] = all();
    const { name, status, locationId } = must(first);
    expect(ids(await get({ name, status, locationId }))).toEqual([first?.["id"]]);
    expect(await get({ name, status: "DELETED" })).toEqual([]);
  });

  it("is empty where nothing matches, and sends nothing for an empty list of values", async () => {
    expect(await get({ name: "none-such" })).toEqual([]);
    expect(sent()).toHaveLength(1);
    expect(await get({ name: [] })).toEqual([]);
    expect(sent()).toHaveLength(1);
  });

  it("misses none if one goes and another comes between two pages", async () => {
    const isTunnels = all() === tunnels;
    const gone = isTunnels ? emulator.seedTunnel({ locationId: "a" }).id : emulator.seedShare({}).id;
    let isOver = false;
    emulator.faults.onRequest({
      match: ({ method, path }) => method === "GET" && /^\/ipsec-(shares|tunnels)$/.test(path),
      times: Infinity,
      action: async (work) => {
        const answer = await work();
        if (!isOver && isTunnels) emulator.removeTunnel(gone);
        if (!isOver && !isTunnels) emulator.removeShare(gone);
        if (!isOver) added = isTunnels ? emulator.seedTunnel({ locationId: "b" }).id : emulator.seedShare({}).id;
        isOver = true;
        return answer;
      },
    });
    let added = "";
    expect(ids(await get({}))).toEqual([...ids(all()), added]);
    emulator.faults.clear();
    if (isTunnels) emulator.removeTunnel(added);
    else emulator.removeShare(added);
  });

  it("leaves filters that are too many for an address to this side", async () => {
    const name = Array.from({ length: 400 }, (_, index) => `share-${index}`).concat("tunnel-4");
    const expected = all().filter((entry) => name.includes(String(entry["name"])));
    expect(ids(await get({ name }))).toEqual(ids(expected));
  });
});

describe("getTunnels", () => {
  it("finds all of several values also where the service looks at the first alone", async () => {
    emulator.settings.repeatedTunnelFilter = "first";
    const status = ["NEW", "ERROR"];
    const expected = tunnels.filter((tunnel) => status.includes(String(tunnel["status"])));
    expect(ids(await getTunnels({ status }))).toEqual(ids(expected));
  });

  it("reads by id only what its lists can't tell", async () => {
    const [{ nlbPrivateIp } = {}] = tunnels;
    const [found] = await getTunnels({ nlbPrivateIp, status: "DEPLOYED" });
    expect(found).toMatchObject({ nlbPrivateIp });
    await getTunnels({ status: "DEPLOYED" });
    const reads = sent().filter((line) => line.startsWith("GET /ipsec-tunnels/"));
    expect(reads.length).toBeLessThanOrEqual(10);
  });
});
