import * as sdk from "../../sdk";
import { emulator, type Entry, ids } from "./entries";

type Page = Record<string, unknown> & { content: object[] };

/** Between the first two pages of the first reading this happens; totals are told or not. */
const betweenPages = (happen: () => void, totals: boolean) => {
  let isOver = false;
  emulator.faults.onRequest({
    match: ({ method, path }) => method === "GET" && /^\/ipsec-(shares|tunnels)$/.test(path),
    times: Infinity,
    action: async (work) => {
      const { content, ...rest } = (await (await work()).json()) as Page;
      if (!isOver) happen();
      isOver = true;
      return Response.json(totals ? { content, ...rest } : { content });
    },
  });
};

const kinds = {
  shares: {
    get: async () => (await sdk.getShares({})).shares as unknown as Entry[],
    all: () => emulator.shares() as unknown as Entry[],
    remove: (id: string) => {
      emulator.removeShare(id);
    },
    add: () => emulator.seedShare({ name: "late" }),
  },
  tunnels: {
    get: async () => (await sdk.getTunnels({})).tunnels as unknown as Entry[],
    all: () => emulator.tunnels().filter(({ frontdoorId }) => frontdoorId === "fd-1") as unknown as Entry[],
    remove: (id: string) => {
      emulator.removeTunnel(id);
    },
    add: () => emulator.seedTunnel({ name: "late", locationId: "loc-late" }),
  },
};

describe.each(Object.entries(kinds))("a list of %s", (_kind, { get, all, remove, add }) => {
  afterEach(() => {
    emulator.faults.clear();
  });
  const first = () => String(all()[0]?.["id"]);

  it.each([true, false])("misses none where another goes between two pages (totals told: %s)", async (totals) => {
    betweenPages(() => {
      remove(first());
    }, totals);
    expect(ids(await get())).toEqual(ids(all()));
  });

  it("misses none where one goes and another comes, so that totals stay equal", async () => {
    betweenPages(() => {
      remove(first());
      add();
    }, true);
    expect(ids(await get())).toEqual(ids(all()));
  });

  it("misses none where one goes with every page for a long time", async () => {
    const stays = ids(all()).slice(12);
    emulator.faults.onRequest({
      match: ({ method, path }) => method === "GET" && /^\/ipsec-(shares|tunnels)$/.test(path),
      times: 12,
      action: async (work) => {
        const answer = await work();
        remove(first());
        return answer;
      },
    });
    expect(ids(await get())).toEqual(expect.arrayContaining(stays));
  });
});
