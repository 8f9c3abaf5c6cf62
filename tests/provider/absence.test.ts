import {
  openShareWorld,
  type ShareWorld,
  chosen,
  deploy,
  openWorld,
  shareInputs,
  tunnelInputs,
  type World,
} from "./world";
import type { Send, Received, Sent } from "../../provider/http/send";
import { readsOf } from "../../provider/functions/functions";

describe("a share that is not shown", () => {
  let { world, deployed } = {} as ShareWorld;
  beforeEach(async () => {
    ({ world, deployed } = await openShareWorld());
  });

  /** For so long, counted from the first of them, reads of shares answer as a replica that has never heard of any. */
  const staleFor = (ms: number) => {
    let sinceMs: number | undefined;
    world.emulator.faults.onRequest({
      match: ({ method, path }) =>
        method === "GET" &&
        path.startsWith("/ipsec-shares") &&
        world.clock.now() - (sinceMs ??= world.clock.now()) < ms,
      times: Infinity,
      action: (_work, { path }) =>
        Promise.resolve(
          path === "/ipsec-shares"
            ? Response.json({ content: [], totalElements: 0 })
            : Response.json({ error: "not_found", message: "not found" }, { status: 404 }),
        ),
    });
  };

  it("is gone where a read and a list say so once no reading can lag behind the last write", async () => {
    const { id, outputs } = await deployed();
    await world.clock.sleep(60_000);
    world.emulator.removeShare(id);
    const startedMs = world.clock.now();
    expect(await world.shares.read(id, outputs, world.within(900))).toBeUndefined();
    const list = `GET /ipsec-shares?id=${id}&page=0&size=100&sort=id%2Casc`;
    expect(world.calls()).toEqual([`GET /ipsec-shares/${id}`, list]);
    expect(world.clock.now() - startedMs).toBeLessThan(1_000);
  });

  it("is read until then, also under a shorter deadline", async () => {
    const { id, outputs } = await deployed();
    staleFor(15_000);
    expect(await world.shares.read(id, outputs, world.within(1))).toEqual(outputs);
  });

  it("is not made anew by an update that a stale replica meets", async () => {
    const { id, outputs, inputs } = await deployed();
    staleFor(5_000);
    const made = await world.shares.update(id, { ...outputs, status: "ERROR" }, inputs, world.within(900));
    expect(made).toMatchObject({ id, outputs: { status: "DEPLOYED" } });
    expect(world.writes()).toEqual([]);
  });

  it("is deleted also under a deadline that is shorter than that: else it would stay in the state for good", async () => {
    const { id, outputs } = await deployed();
    world.emulator.removeShare(id);
    await world.shares.delete(id, outputs, world.within(5));
    expect(world.writes()).toEqual([`DELETE /ipsec-shares/${id}`]);
  });
});

describe("a refresh right after an update", () => {
  it("keeps what was written if only the list still shows the old values", async () => {
    const { world, tunnelId } = await openShareWorld();
    const createOn = (ingressPort: number) =>
      world.shares.create(
        { ...shareInputs(tunnelId), name: `s-${ingressPort}`, ingressPort },
        chosen,
        world.within(900),
      );
    const made = await Promise.all([443, 444, 445].map(createOn));
    await world.clock.sleep(120_000);
    const updated = await Promise.all(
      made.map(({ id, outputs }) =>
        world.shares.update(id, outputs, { ...outputs, target: "b.internal:1" }, world.within(900)),
      ),
    );
    world.emulator.settings.listLagMs = 30_000;
    world.nextRun();
    world.calls();
    const read = await Promise.all(updated.map(({ id, outputs }) => world.shares.read(id, outputs, world.within(60))));
    expect(read).toEqual(updated.map(({ outputs }) => outputs));
    expect(world.calls()[0]).toMatch(/^GET \/ipsec-shares\?/);
  });
});

describe("a share that shows no more than that it is DELETING", () => {
  let { world, deployed } = {} as ShareWorld;
  beforeEach(async () => {
    ({ world, deployed } = await openShareWorld());
    world.emulator.settings.teardownMs = 600_000;
  });

  it("keeps in the state what it was, and is not written to", async () => {
    const { id, outputs, inputs } = await deployed();
    world.emulator.setStatus(id, "DELETING");
    const bare = { id, name: null, ipsecTunnelId: null, status: "DELETING" };
    world.emulator.faults.onRequest({
      match: ({ method, path }) => method === "GET" && path.startsWith("/ipsec-shares"),
      times: Infinity,
      action: (_work, { path }) =>
        Promise.resolve(Response.json(path === "/ipsec-shares" ? { content: [bare], totalElements: 1 } : bare)),
    });
    world.writes();
    expect(await world.shares.read(id, outputs, world.within(60))).toEqual({ ...outputs, status: "DELETING" });
    const made = await world.shares.update(id, { ...outputs, status: "ERROR" }, inputs, world.within(60));
    expect(made.outputs).toMatchObject({ target: inputs.target, status: "DELETING" });
    expect(world.writes()).toEqual([]);
  });

  it.each(["tunnels", "shares"] as const)(
    "keeps in the state the optional fields that it no longer shows: %s",
    async (kind) => {
      const { id, outputs } =
        kind === "shares"
          ? await deployed()
          : await deploy(world, world.tunnels, { ...tunnelInputs, name: "hq2", locationId: "loc-2" });
      world.emulator.setStatus(id, "DELETING");
      world.emulator.faults.onRequest({
        match: ({ method, path }) => method === "GET" && path.startsWith(`/ipsec-${kind}`),
        times: Infinity,
        action: async (work) => {
          const shown = (await (await work()).json()) as { content?: object[] };
          const bare = (entry: object) => ({ ...entry, locationId: undefined, nlbDnsName: undefined });
          return Response.json(shown.content ? { ...shown, content: shown.content.map(bare) } : bare(shown));
        },
      });
      const read = await world[kind].read(id, { ...outputs, locationId: "loc-2" } as never, world.within(60));
      expect(read).toEqual({ ...outputs, locationId: "loc-2", status: "DELETING" });
    },
  );
});

type Fields = Record<string, unknown>;

/** Shows each share, in lists and by id, as `change` makes it. */
const showing =
  (change: (share: Fields) => Fields): ((send: Send) => Send) =>
  (send) =>
  async (request) => {
    const answer = await send(request);
    if (request.method !== "GET" || !request.url.includes("/ipsec-shares") || !answer.text.startsWith("{"))
      return answer;
    const body = JSON.parse(answer.text) as Fields & { content?: Fields[] };
    const shown = body.content ? { ...body, content: body.content.map(change) } : change(body);
    return { ...answer, text: JSON.stringify(shown) };
  };

describe("an answer that misfits", () => {
  let world: World;
  const start = async (change: (share: Fields) => Fields) => {
    world = await openWorld({ provisionMs: 3_000 }, showing(change));
    world.emulator.seedTunnel({ ...tunnelInputs, id: "tnl-1" });
  };
  const create = () => world.shares.create(shareInputs("tnl-1"), chosen, world.within(900));

  it("in the same way each time ends a create after a few answers, and the state has the id", async () => {
    await start((share) => ({ ...share, ingressPort: "https" }));
    const { id, unfinished } = await create();
    expect(id).toBe("shr-1");
    expect(unfinished?.message).toMatch(/wrong or missing fields: ingressPort/);
    expect(world.clock.now()).toBeLessThan(30_000);
    expect(world.writes()).toHaveLength(1);
  });

  it("in the same way each time ends a refresh after a few answers", async () => {
    let isWrong = false;
    await start((share) => (isWrong ? { ...share, target: 7 } : share));
    const { id, outputs } = await create();
    isWrong = true;
    world.nextRun();
    const begunMs = world.clock.now();
    await expect(world.shares.read(id, outputs, world.within(900))).rejects.toThrow(
      /wrong or missing fields: target\. .*\[unusable-answer\]$/,
    );
    expect(world.clock.now() - begunMs).toBeLessThan(15_000);
  });

  it("for a while, or each time in another way, ends no wait", async () => {
    let answers = 0;
    await start((share) => (++answers < 13 ? { ...share, [(answers >> 1) % 2 ? "target" : "envZId"]: 7 } : share));
    expect((await create()).outputs.status).toBe("DEPLOYED");
  });

  it("only because a number is text is read", async () => {
    await start((share) => ({ ...share, ingressPort: String(share["ingressPort"]) }));
    const { id, outputs, unfinished } = await create();
    expect([outputs.ingressPort, outputs.status, unfinished]).toEqual([443, "DEPLOYED", undefined]);
    world.nextRun();
    expect(await world.shares.read(id, outputs, world.within(60))).toEqual(outputs);
    expect((await world.shareDiff(outputs, shareInputs("tnl-1"), id)).changes).toBe(false);
  });
});

const withoutTotals =
  (send: Send): Send =>
  async (request) => {
    const answer = await send(request);
    return { ...answer, text: answer.text.replace(/,"page":\{[^}]*\}/, "") };
  };

describe.each([
  ["with totals", undefined],
  ["without totals", withoutTotals],
])("a service whose lists are HAL, %s", (_name, wrap) => {
  let world: World;
  beforeEach(async () => {
    world = await openWorld({ provisionMs: 1_000, maxPageSize: 4, deletedListed: false, listForm: "hal" }, wrap);
  });

  it.each([0, 1, 10])("serves a create, a refresh, an update and a delete beside %i other shares", async (others) => {
    const tunnel = await world.tunnels.create(tunnelInputs, chosen, world.within(900));
    for (let n = 0; n < others; n++)
      world.emulator.seedShare({ ...shareInputs(tunnel.id), name: `other-${n}`, ingressPort: 1_000 + n });
    const inputs = shareInputs(tunnel.id);
    const made = await world.shares.create(inputs, chosen, world.within(900));
    expect(made.outputs.status).toBe("DEPLOYED");
    world.nextRun();
    expect(await world.shares.read(made.id, made.outputs, world.within(900))).toEqual(made.outputs);
    const news = { ...inputs, target: "web2.internal:443" };
    const updated = await world.shares.update(made.id, made.outputs, news, world.within(900));
    expect(updated.outputs).toMatchObject({ target: news.target, status: "DEPLOYED" });
    expect((await readsOf(world.service).getShares({})).shares).toHaveLength(others + 1);
    world.nextRun();
    await world.shares.delete(made.id, updated.outputs, world.within(900));
    expect(await world.shares.read(made.id, updated.outputs, world.within(900))).toBeUndefined();
    expect((await readsOf(world.service).getShares({})).shares).toHaveLength(others);
  });
});

const body = { error: "not_found", message: "Front door with identifier fd-1 was not found" };

/** The service never says 404: a path that names nothing is a 403. */
const hiding =
  (isRefused: (request: Sent) => boolean = () => false) =>
  (send: Send): Send =>
  async (request): Promise<Received> => {
    const refusal = { status: 403, headers: {}, text: JSON.stringify(body) };
    if (isRefused(request)) return refusal;
    const answer = await send(request);
    return answer.status === 404 ? refusal : answer;
  };

describe("a 403 with not_found", () => {
  let world: World;
  let refused: (request: Sent) => boolean;
  const made = async () => {
    const tunnel = await world.tunnels.create(tunnelInputs, chosen, world.within(900));
    const share = await world.shares.create(shareInputs(tunnel.id), chosen, world.within(900));
    world.emulator.clock.advance(60_000);
    world.nextRun();
    world.calls();
    return { tunnel, share };
  };
  beforeEach(async () => {
    refused = () => false;
    world = await openWorld(
      { deletedShownAs: "404" },
      hiding((request) => refused(request)),
    );
  });

  it("means that a resource is gone, if the list lacks it too", async () => {
    const { tunnel, share } = await made();
    world.emulator.removeShare(share.id);
    world.emulator.removeTunnel(tunnel.id);
    expect(await world.shares.read(share.id, share.outputs, world.within(900))).toBeUndefined();
    expect(await world.tunnels.read(tunnel.id, tunnel.outputs, world.within(900))).toBeUndefined();
  });

  it("ends a delete, and a delete of a resource that is gone", async () => {
    const { tunnel, share } = await made();
    await world.shares.delete(share.id, share.outputs, world.within(900));
    await world.shares.delete(share.id, share.outputs, world.within(900));
    world.emulator.removeTunnel(tunnel.id);
    await world.tunnels.delete(tunnel.id, tunnel.outputs, world.within(900));
    expect(world.emulator.shares().filter(({ status }) => status !== "DELETED")).toEqual([]);
  });

  it("of a PATCH keeps a share that is gone as gone", async () => {
    const { share, tunnel } = await made();
    world.emulator.removeShare(share.id);
    const news = { ...shareInputs(tunnel.id), target: "web2.internal:443" };
    const { unfinished } = await world.shares.update(share.id, share.outputs, news, world.within(900));
    expect(unfinished?.message).toMatch(/\[share-gone\]$/);
  });

  it("is no access if the list is refused as well: the state stays", async () => {
    const { share, tunnel } = await made();
    refused = () => true;
    const reading = world.shares.read(share.id, share.outputs, world.within(900));
    await expect(reading).rejects.toThrow(/403 not_found: .*\[not-found-front-door\]$/);
    const deleting = world.tunnels.delete(tunnel.id, tunnel.outputs, world.within(900));
    await expect(deleting).rejects.toThrow(/403 not_found: .*\[not-found-front-door\]$/);
  });

  it("is no access if the list shows the resource: the state stays", async () => {
    const { share } = await made();
    refused = ({ url }) => url.includes(share.id) && !url.includes("?");
    const message = /403 not_found: .* was not found\. The front door's list .*\[access-refused\]$/;
    await expect(world.shares.read(share.id, share.outputs, world.within(900))).rejects.toThrow(message);
    await expect(world.shares.delete(share.id, share.outputs, world.within(900))).rejects.toThrow(message);
    expect(world.emulator.shares()).toMatchObject([{ status: "DEPLOYED" }]);
  });

  it("is what a function answers for an id that is not there", async () => {
    await expect(readsOf(world.service).getShare({ id: "shr-9" })).rejects.toThrow(/\[not-found\]$/);
    refused = () => true;
    await expect(readsOf(world.service).getShare({ id: "shr-9" })).rejects.toThrow(/\[not-found-front-door\]$/);
  });
});
