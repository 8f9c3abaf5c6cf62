import { chosen, derived, openWorld, shareInputs, tunnelInputs, type World } from "../world";

const web = shareInputs("tnl-1");

describe("a POST still on its way when its run dies", () => {
  let world: World;
  let arrive = (): Promise<unknown> => Promise.resolve();
  const create = () => world.shares.create(web, derived, world.within(900));
  const posts = () => world.writes().filter((line) => line.startsWith("POST "));
  beforeEach(async () => {
    let isFirst = true;
    world = await openWorld({ provisionMs: 0, duplicateIngressPort: "allowed" }, (send) => (request) => {
      if (request.method !== "POST" || !isFirst) return send(request);
      isFirst = false;
      arrive = () => send(request);
      return new Promise<never>(() => undefined);
    });
    world.emulator.seedTunnel({ ...tunnelInputs, id: "tnl-1" });
    void create();
    await world.clock.sleep(1_000);
    world.nextRun("killed");
  });
  afterEach(() => world.close());

  it.each([0, 29_000])("is waited for, and what it has made is taken (after %i ms)", async (lateMs) => {
    const created = create();
    await world.clock.sleep(lateMs);
    await arrive();
    const { id } = await created;
    expect(world.emulator.shares().map((share) => share.id)).toEqual([id]);
    expect(posts()).toHaveLength(1);
  });

  it("is sent anew only once nothing of it can still come: its timeout and 12 s for its work to show", async () => {
    const made = await create();
    expect(made.outputs.status).toBe("DEPLOYED");
    expect(posts()).toHaveLength(1);
    expect(world.clock.now()).toBeGreaterThan(42_000);
    expect(world.clock.now()).toBeLessThan(50_000);
  });

  it("is not waited for where that time has passed already", async () => {
    await world.clock.sleep(60_000);
    const startedMs = world.clock.now();
    await create();
    expect(world.clock.now() - startedMs).toBeLessThan(3_000);
  });
});

describe("the record of a create", () => {
  let world: World;
  const record = () => world.service.frontDoor("fd-1").shares.creates.find("web", "");
  const create = () => world.shares.create(web, derived, world.within(900));
  beforeEach(async () => {
    world = await openWorld({ provisionMs: 0 });
    world.emulator.seedTunnel({ ...tunnelInputs, id: "tnl-1" });
  });
  afterEach(() => world.close());

  it("is gone once the run has ended in order", async () => {
    const { id } = await create();
    expect(record()).toMatchObject({ id });
    world.nextRun();
    expect(record()).toBeUndefined();
  });

  it.each([
    ["a diff", (id: string, outputs: never) => world.shares.diff(id, outputs, web, world.within(60))],
    ["a read", (id: string, outputs: never) => world.shares.read(id, outputs, world.within(60))],
    ["an update", (id: string, outputs: never) => world.shares.update(id, outputs, web, world.within(900))],
    ["a delete", (id: string, outputs: never) => world.shares.delete(id, outputs, world.within(900))],
  ])("is gone once a later run shows the id in the state: %s", async (_what, shown) => {
    const { id, outputs } = await create();
    world.nextRun("killed");
    expect(record()).toMatchObject({ id });
    await shown(id, outputs as never);
    expect(record()).toBeUndefined();
  });

  it("stays where the state shows another id", async () => {
    const { id, outputs } = await create();
    world.nextRun("killed");
    await world.shares.diff("shr-other", outputs, web, world.within(60));
    expect(record()).toMatchObject({ id });
  });

  it("stays where the run has ended without an answer", async () => {
    await world.interrupted(create);
    world.nextRun();
    expect(record()).toMatchObject({ origin: "" });
    expect(record()).not.toHaveProperty("id");
  });

  it("is gone where the service has refused the create", async () => {
    world.emulator.seedShare({ ...web, name: "other" });
    await expect(create()).rejects.toThrow("[port-in-use]");
    expect(record()).toBeUndefined();
  });
});

describe("what an interrupted run began on a tunnel that is replaced once more", () => {
  const urn = (stack: string, type: string, name: string) =>
    `organization::urn:pulumi:${stack}::office::frontdoor:index:${type}::${name}`;
  let world: World;
  /** A run of this stack begins a share on the tunnel, and another one is asked to replace that. */
  const replaced = async (stack: string) => {
    world = await openWorld({ provisionMs: 0 });
    const made = await world.tunnels.create(tunnelInputs, chosen, world.within(900));
    world.nextRun();
    const news = { ...shareInputs(made.id) };
    const { inputs } = world.shares.check({ news, olds: {}, origin: urn(stack, "IpsecShare", "web") });
    await world.interrupted(() => world.shares.create(inputs as typeof web, derived, world.within(900)));
    world.nextRun();
    const edit = { ...tunnelInputs, peerCidr: "10.99.0.0/16" };
    const checked = world.tunnels.check({
      news: edit,
      olds: { ...made.outputs },
      origin: urn("test", "IpsecTunnel", "hq"),
    });
    const until = world.within(900);
    const diff = await world.tunnels.diff(made.id, made.outputs, checked.inputs, until);
    expect(diff).toMatchObject({ replaces: ["peerCidr"], deleteBeforeReplace: true });
    return world.tunnels.delete(made.id, made.outputs, until);
  };
  const statuses = () => world.emulator.shares().map(({ status }) => status);
  afterEach(() => world.close());

  it("goes with it", async () => {
    await replaced("test");
    expect(statuses()).toEqual(["DELETED"]);
    expect(world.said).toEqual([expect.stringContaining("an interrupted run began it")]);
    expect(world.service.frontDoor("fd-1").shares.creates.begunAs("web", "shr-1")).toBeUndefined();
  });

  it("stays where it is another stack's, and so does the tunnel", async () => {
    await expect(replaced("other")).rejects.toThrow("IPsec shares still use it");
    expect(statuses()).toEqual(["DEPLOYED"]);
  });
});
