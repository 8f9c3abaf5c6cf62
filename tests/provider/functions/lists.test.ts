import { readsOf } from "../../../provider/functions/functions";
import type { Send } from "../../../provider/http/send";
import { derived, openWorld, shareInputs, tunnelInputs, type World } from "../world";

interface Body {
  content?: Record<string, unknown>[];
}

/** List entries have only these fields. */
const showing =
  (...fields: string[]) =>
  (send: Send): Send =>
  async (request) => {
    const answer = await send(request);
    const { content, ...rest } = (answer.text.startsWith("{") ? JSON.parse(answer.text) : {}) as Body;
    if (!content) return answer;
    const shown = content.map((entry) =>
      Object.fromEntries(Object.entries(entry).filter(([key]) => fields.includes(key))),
    );
    return { ...answer, text: JSON.stringify({ ...rest, content: shown }) };
  };

describe("where list entries show only a few fields", () => {
  let world: World;
  const start = async (wrap: (send: Send) => Send) => {
    world = await openWorld({ provisionMs: 0 }, wrap);
    world.emulator.seedTunnel({ id: "tnl-1" });
  };
  const create = (change = {}) =>
    world.shares.create({ ...shareInputs("tnl-1"), ...change }, derived, world.within(900));
  afterEach(() => world.close());

  it.each([[["id", "name", "status"]], [["id", "status"]]])(
    "a share that a run has left is found by %j",
    async (fields) => {
      await start(showing(...fields));
      await world.interrupted(create);
      const [{ id } = { id: "" }] = world.emulator.shares();
      expect(await create()).toMatchObject({ id, outputs: { status: "DEPLOYED" } });
      expect(world.writes()).toEqual([]);
    },
  );

  it("one is read by its name", async () => {
    await start(showing("id", "name", "status"));
    const { id } = world.emulator.seedShare(shareInputs("tnl-1"));
    expect(await readsOf(world.service).getShare({ name: "web" })).toMatchObject({ id, target: "web.internal:443" });
    const tunnel = world.emulator.seedTunnel({ ...tunnelInputs, name: "branch", locationId: "loc-2" });
    expect(await readsOf(world.service).getTunnel({ name: "branch" })).toMatchObject({ id: tunnel.id });
  });
});

describe("where a list contradicts itself", () => {
  let world: World;
  afterEach(() => world.close());
  const start = async (total: (shown: number) => number, pages = 3) => {
    world = await openWorld({ provisionMs: 0 }, (send) => async (request) => {
      const answer = await send(request);
      const { content, ...rest } = (answer.text.startsWith("{") ? JSON.parse(answer.text) : {}) as Body;
      if (!content) return answer;
      const isShown = Number(new URL(request.url).searchParams.get("page")) < pages;
      const body = { ...rest, content: isShown ? content : [], totalElements: total(content.length), totalPages: 0 };
      return { ...answer, text: JSON.stringify(body) };
    });
    for (let n = 0; n < 250; n++)
      world.emulator.seedShare({ ...shareInputs("tnl-1"), name: `s-${n}`, ingressPort: n + 1 });
  };

  it("and its total is 0 beside full pages, it is read to its end", async () => {
    await start(() => 0);
    expect((await readsOf(world.service).getShares({})).shares).toHaveLength(250);
  });

  it("and its pages end before its total, it is refused", async () => {
    await start(() => 250, 1);
    const expected = /pages show 100 entries, and its total says 250, .*\[list-contradicts-itself\]$/;
    await expect(readsOf(world.service).getShares({})).rejects.toThrow(expected);
  });
});

describe("a filter or an order that the service refuses", () => {
  let world: World;
  beforeEach(async () => {
    world = await openWorld({ provisionMs: 0, unknownQuery: "refused" });
    world.emulator.seedShare({ ...shareInputs("tnl-1") });
  });
  afterEach(() => world.close());

  it("is an error with the service's words if the program gave it, and later lists keep their filters", async () => {
    const reads = readsOf(world.service);
    await expect(reads.getShares({ ingressPort: "x" })).rejects.toThrow(
      /: 400 invalid_request: Value for `ingressPort` must be of `integer`.*\[refused\]$/,
    );
    world.calls();
    expect((await reads.getShares({ ingressPort: 443 })).shares).toHaveLength(1);
    expect((await reads.getShare({ name: "web" })).id).toBe("shr-1");
    expect(world.calls().filter((line) => !/ingressPort=443|name=web/.test(line))).toEqual([]);
  });

  it("is given up if the provider added it", async () => {
    world.emulator.faults.answerNext({
      ...{ method: "GET", path: /^\/ipsec-shares$/, status: 400, times: 2 },
      body: { error: "invalid_request", message: "Value for `name` must be of `property`" },
    });
    expect((await readsOf(world.service).getShare({ name: "web" })).id).toBe("shr-1");
    expect(world.calls().map((line) => line.replace(/^GET \S+\?/, ""))).toEqual([
      "name=web&page=0&size=100",
      "name=web&page=0",
      "page=0&size=100",
    ]);
  });
});
