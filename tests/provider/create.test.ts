import type { Send } from "../../provider/http/send";
import { derived, openWorld, shareInputs, type World, chosen, tunnelInputs } from "../harness/world";

describe("create", () => {
  let world: World;
  const start = async (wrap?: (send: Send) => Send, takeOver = "") => {
    world = await openWorld({ provisionMs: 0 }, wrap, () => ({ FRONTDOOR_TAKE_OVER: takeOver }));
    world.emulator.seedTunnel(tunnelInputs);
  };
  const left = (change = {}) => world.emulator.seedShare({ ...shareInputs("tnl-1"), ...change });

  it.each([
    ["target", { target: "other.internal:443" }],
    ["environment", { envZId: "env-2" }],
    ["port", { ingressPort: 444 }],
    ["status", { status: "DELETING" as const }],
  ])("does not adopt a share that differs in its %s", async (_what, change) => {
    await start(undefined, "alike");
    const { id } = left(change);
    const inputs = { ...shareInputs("tnl-1"), ingressPort: 8443 };
    const made = await world.shares.create(inputs, derived, world.within(900));
    expect(made.id).not.toBe(id);
    expect(made.outputs.status).toBe("DEPLOYED");
  });
});

describe("answered id", () => {
  const web = shareInputs("tnl-1");

  const elsewhere = {
    tunnel: { id: "tnl-9", name: "lab", peerPublicIp: "198.51.100.9", peerCidr: "10.99.0.0/16", locationId: "loc-9" },
    share: {
      ...web,
      id: "shr-9",
      name: "other",
      target: "other.internal:1",
      ingressPort: 9,
      status: "DEPLOYED" as const,
    },
  };

  /** The body that the first answer to a write gets instead of its own, in a world that has somebody's tunnel and share. */
  let answer: ((body: Record<string, unknown>) => object | undefined) | undefined;

  /** Answers to reads of one id, which a test can replace. */
  let misread: ((path: string) => object | undefined) | undefined;

  afterEach(() => {
    answer = misread = undefined;
  });

  const mixing =
    (method: string) =>
    (send: Send): Send =>
    async (request) => {
      const shown = request.method === "GET" ? misread?.(new URL(request.url).pathname) : undefined;
      if (shown) return { status: 200, headers: { "content-type": "application/json" }, text: JSON.stringify(shown) };
      const received = await send(request);
      if (request.method !== method || !answer) return received;
      const body = answer(JSON.parse(received.text || "{}") as Record<string, unknown>);
      answer = undefined;
      return { ...received, text: body === undefined ? "" : JSON.stringify(body) };
    };

  const openMixedWorld = async (method = "POST", settings = {}): Promise<World> => {
    const world = await openWorld({ provisionMs: 0, ...settings }, mixing(method));
    world.emulator.seedTunnel({ ...tunnelInputs, id: "tnl-1", name: "base" });
    world.emulator.seedTunnel(elsewhere.tunnel);
    world.emulator.seedShare(elsewhere.share);
    return world;
  };

  const posts = (world: World) => world.writes().filter((line) => line.startsWith("POST"));

  /** The body of a POST's answer, with other values. */
  describe("an answer to a POST", () => {
    let world: World;
    beforeEach(async () => {
      world = await openMixedWorld();
    });

    it("with the id of another resource of the program counts as lost", async () => {
      world.shares.check({ news: { ...web }, olds: { ...web }, origin: "organization::urn:pulumi:a::b::c::other" });
      await world.shares.update(
        "shr-9",
        { ...elsewhere.share, frontdoorId: "fd-1" },
        { ...elsewhere.share, frontdoorId: "fd-1" },
        world.within(60),
      );
      world.calls();
      answer = () => ({ id: "shr-9" });
      const { id, unfinished } = await world.shares.create(web, chosen, world.within(900));
      expect(unfinished).toBeUndefined();
      expect(world.emulator.shares().find((share) => share.id === id)).toMatchObject({ name: "web" });
      expect(posts(world)).toHaveLength(1);
    });

    it("with an id that cannot be used is refused at once, with what it says", async () => {
      answer = (own) => ({ ...own, id: "shares/shr 1" });
      await expect(world.shares.create(web, chosen, world.within(900))).rejects.toThrow(
        /^POST .*ipsec-shares: .*accepted the create.*"shares\/shr 1".*by its name\. \[unusable-answer\]$/,
      );
      expect(world.clock.now()).toBeLessThan(5_000);
      expect(posts(world)).toHaveLength(1);
    });
  });

  describe("an id that no read has shown", () => {
    let world: World;
    beforeEach(async () => {
      world = await openMixedWorld();
    });

    it("is in the state after 30 s, and nothing is searched by its name", async () => {
      answer = () => ({ id: "op-77", status: "ACCEPTED" });
      const made = await world.shares.create(web, chosen, world.within(900));
      expect(made).toMatchObject({ id: "op-77", outputs: { status: "NEW" } });
      expect(made.unfinished?.message).toMatch(
        /\(op-77\): not shown by Frontdoor.*in the state.*\[share-incomplete\]$/,
      );
      expect(world.clock.now()).toBeLessThan(60_000);
      expect(posts(world)).toHaveLength(1);
    });

    it("is in the creation record at once: a run that is killed before any reading is resumed by it", async () => {
      Object.assign(world.emulator.settings, { readLagMs: 20_000, listLagMs: 20_000 });
      world.shares.check({ news: { ...web }, olds: {}, origin: "organization::urn:pulumi:a::b::c::web" });
      void world.shares.create(web, chosen, world.within(900));
      await world.clock.sleep(5_000);
      world.nextRun("killed");
      const [record = {}] = world.records.read().map(([, text]) => JSON.parse(text) as { id?: string });
      world.shares.check({ news: { ...web }, olds: {}, origin: "organization::urn:pulumi:a::b::c::web" });
      const { id, unfinished } = await world.shares.create(web, chosen, world.within(900));
      expect([id, unfinished]).toEqual([record.id, undefined]);
      expect(posts(world)).toHaveLength(1);
    });

    it("is kept by a create that an error hook repeats, which says the same", async () => {
      Object.assign(world.emulator.settings, { readLagMs: 600_000, listLagMs: 600_000 });
      world.shares.check({ news: { ...web }, olds: {}, origin: "organization::urn:pulumi:a::b::c::web" });
      const made = await world.shares.create(web, chosen, world.within(60));
      const again = await world.shares.create(web, chosen, world.within(60));
      expect([again.id, again.unfinished?.message]).toEqual([made.id, made.unfinished?.message]);
      expect(posts(world)).toHaveLength(1);
    });
  });

  describe("adopt of an id that shows a resource of another kind", () => {
    it.each([
      ["a tunnel's fields", { ...elsewhere.tunnel, status: "DEPLOYED" }],
      ["no fields", { id: "tnl-9" }],
    ])("says so, and changes nothing: %s", async (_what, shown) => {
      const world = await openMixedWorld();
      misread = (path) => (path.endsWith("/ipsec-shares/tnl-9") ? shown : undefined);
      const adopting = world.shares.create({ ...web, adopt: "tnl-9" }, chosen, world.within(900));
      await expect(adopting).rejects.toThrow(
        /tnl-9 is not a resource of this kind.*That resource was not changed\..*\[adopt-missing\]$/,
      );
      expect(world.writes()).toEqual([]);
    });
  });
});
