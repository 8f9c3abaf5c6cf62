import { chosen, openWorld, shareInputs, tunnelInputs, type World } from "../world";

describe("what a run holds", () => {
  let world: World;
  const inputs = shareInputs("tnl-1");
  const minute = () => world.within(60);
  /** A share that an earlier run has made. */
  const deployed = async () => {
    const made = await world.shares.create(inputs, chosen, world.within(900));
    world.emulator.clock.advance(60_000);
    world.nextRun();
    world.calls();
    return made;
  };
  type Share = Awaited<ReturnType<typeof deployed>>;
  const origin = "organization::urn:pulumi:test::office::frontdoor:index:IpsecShare::web";
  const declare = () => world.shares.check({ news: { ...inputs }, olds: { ...inputs }, origin });

  beforeEach(async () => {
    world = await openWorld({
      provisionMs: 0,
      teardownMs: 0,
      idsPerFrontdoor: true,
      tokens: { "emulator-token": ["fd-1", "fd-2"] },
    });
    for (const frontdoorId of ["fd-1", "fd-2"]) world.emulator.seedTunnel({ ...tunnelInputs, frontdoorId });
  });
  afterEach(() => world.close());

  it.each<[string, (share: Share) => Promise<unknown>]>([
    ["adopted", ({ id }) => world.shares.create({ ...inputs, adopt: id }, chosen, world.within(900))],
    ["updated", ({ id, outputs }) => world.shares.update(id, outputs, { ...inputs, target: "b:1" }, minute())],
    ["found right", ({ id, outputs }) => (declare(), world.shares.diff(id, outputs, inputs, minute()))],
  ])("is not deleted under an older URN, and that is said: %s", async (_how, hold) => {
    const share = await deployed();
    await hold(share);
    world.calls();
    await world.shares.delete(share.id, share.outputs, minute());
    expect(world.calls()).toEqual([]);
    expect(world.said).toEqual([
      `IPsec share "web" (${share.id}): not deleted: it belongs to another resource of the program now`,
    ]);
  });

  it.each<[string, object]>([
    ["its target", { target: "b:1" }],
    ["its location, which is not declared", { locationId: "loc-2" }],
  ])("is as declared also where what leaves has changed %s, in a run that failed", async (_how, edit) => {
    const { id, outputs } = await deployed();
    const left = await world.shares.create({ ...inputs, ...edit, adopt: id }, chosen, world.within(900));
    world.emulator.clock.advance(60_000);
    world.nextRun();
    world.writes();
    declare();
    await world.shares.diff(id, outputs, inputs, minute());
    await world.shares.delete(id, left.outputs, minute());
    expect(world.writes()).toHaveLength(1);
    expect(world.emulator.shares()).toMatchObject([{ ...inputs, locationId: "loc-1", status: "DEPLOYED" }]);
    expect(world.said).toHaveLength(2);
    await world.shares.delete(id, left.outputs, minute());
    expect(world.calls()).toEqual([]);
  });

  it("is not written where what leaves has older values", async () => {
    const { id, outputs } = await deployed();
    const news = { ...inputs, target: "b:1" };
    const moved = await world.shares.create({ ...news, adopt: id }, chosen, world.within(900));
    world.emulator.clock.advance(60_000);
    world.nextRun();
    world.writes();
    world.shares.check({ news, olds: { ...news }, origin });
    await world.shares.diff(id, moved.outputs, news, minute());
    await world.shares.delete(id, outputs, minute());
    expect(world.writes()).toEqual([]);
  });

  it("is not what a refresh looks at, which no check has seen", async () => {
    const { id, outputs } = await deployed();
    expect(await world.shares.diff(id, outputs, inputs, minute())).toMatchObject({ changes: false });
    await world.shares.delete(id, outputs, minute());
    expect(world.writes()).toEqual([`DELETE /ipsec-shares/${id}`]);
    expect(world.said).toEqual([]);
  });

  it("is not what only differs, nor what has its id on another front door", async () => {
    const { id, outputs } = await deployed();
    const there = await world.shares.create({ ...inputs, frontdoorId: "fd-2" }, chosen, world.within(900));
    expect(there.id).toBe(id);
    await world.shares.diff(id, outputs, { ...inputs, target: "b:1" }, minute());
    world.calls();
    await world.shares.delete(id, outputs, minute());
    expect(world.writes()).toEqual([`DELETE /ipsec-shares/${id}`]);
    expect(world.said).toEqual([]);
    expect(world.emulator.shares()).toMatchObject([
      { frontdoorId: "fd-1", status: "DELETED" },
      { frontdoorId: "fd-2", status: "DEPLOYED" },
    ]);
  });
});
