import { derived, openWorld, shareInputs, tunnelInputs, type World } from "../world";

const origin = (name: string) => `organization::urn:pulumi:dev::net::frontdoor:index:Any::${name}`;
const unnamedShare = { ...shareInputs("tnl-1"), name: undefined };
const unnamedTunnel = { ...tunnelInputs, name: undefined };

describe("a name that the engine proposes, another one in each run", () => {
  let world: World;
  const check = (proposedName: string, given: object = {}, olds: object = {}) => {
    const news = { ...unnamedShare, ...given };
    const checked = world.shares.check({
      news,
      olds: { ...olds },
      origin: origin("web"),
      autonaming: { proposedName },
    });
    expect(checked.failures).toEqual([]);
    return { ...shareInputs("tnl-1"), name: checked.inputs.name as string };
  };
  const create = (inputs: ReturnType<typeof check>, isDerived = derived) =>
    world.shares.create(inputs, isDerived, world.within(900));
  const live = () => world.emulator.shares().map(({ name }) => name);

  beforeEach(async () => {
    world = await openWorld({ provisionMs: 0, duplicateIngressPort: "allowed" });
    world.emulator.seedTunnel({ ...tunnelInputs, id: "tnl-1", name: "other", locationId: "loc-9" });
  });
  afterEach(() => world.close());

  it("is kept by the record of a create that was cut off, for previews, too, and what it has made is taken over", async () => {
    await world.interrupted(() => create(check("web-1")));
    expect(check("web-2").name).toBe("web-1");
    world.nextRun();
    const inputs = check("web-3");
    await create(inputs);
    expect([inputs.name, live()]).toEqual(["web-1", ["web-1"]]);
    expect(world.writes()).toEqual([]);
    world.nextRun();
    expect(check("web-4").name).toBe("web-4");
  });

  it("gives way to the one in the state", async () => {
    await world.interrupted(() => create(check("web-1")));
    expect(check("web-2", {}, { ...unnamedShare, name: "old" }).name).toBe("old");
  });

  it("is not one that the program gave to what was cut off, nor that of another resource, kind or front door", async () => {
    await world.interrupted(() => create(check("-", { name: "mine" }), !derived));
    expect(check("web-2").name).toBe("web-2");
    world.nextRun();
    await world.interrupted(() => create(check("web-3")));
    const autonaming = { proposedName: "free" };
    const nameOf = ({ inputs }: { inputs: { name: unknown } }) => inputs.name;
    const share = { news: unnamedShare, olds: {}, autonaming };
    expect(nameOf(world.shares.check({ ...share, origin: origin("mail") }))).toBe("free");
    expect(nameOf(world.tunnels.check({ ...share, news: unnamedTunnel, origin: origin("web") }))).toBe("free");
    world.nextRun();
    const elsewhere = { ...share, news: { ...unnamedShare, frontdoorId: "fd-2" }, origin: origin("web") };
    expect(nameOf(world.shares.check(elsewhere))).toBe("free");
  });

  it("lets a tunnel's move that was cut off go on", async () => {
    const checked = (proposedName: string, locationId: string, olds: object = {}) => {
      const news = { ...unnamedTunnel, locationId };
      const { inputs } = world.tunnels.check({
        ...{ news, olds: { ...olds }, origin: origin("hq"), autonaming: { proposedName } },
      });
      return { ...tunnelInputs, locationId, name: inputs.name as string };
    };
    const old = checked("hq-1", "loc-1");
    const { id, outputs } = await world.tunnels.create(old, derived, world.within(1800));
    world.nextRun();
    expect(checked("hq-2", "loc-2", old).name).toBe("hq-1");
    await world.interrupted(() => world.tunnels.create(checked("hq-2", "loc-2"), derived, world.within(1800)));
    const moved = checked("hq-3", "loc-2", old);
    expect(moved.name).toBe("hq-1");
    expect(await world.tunnelDiff(outputs, moved, id)).toMatchObject({ replaces: ["locationId"] });
    expect(checked("hq-3", "loc-2").name).toBe("hq-2");
  });
});
