import { chosen, openWorld, shareInputs, tunnelInputs, type World } from "../world";

describe("an id that this run owns", () => {
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
    ["unchanged", ({ id, outputs }) => (declare(), world.shares.diff(id, outputs, inputs, minute()))],
  ])("is not deleted under an older URN, and one line says so: %s", async (_how, hold) => {
    const share = await deployed();
    await hold(share);
    world.calls();
    await world.shares.delete(share.id, share.outputs, minute());
    expect(world.calls()).toEqual([]);
    expect(world.said).toEqual([expect.stringMatching(`"web" \\(${share.id}\\): .*\\[not-deleted-owned\\]$`)]);
  });

  it("is not one whose share differs from the program, nor the same id on another front door", async () => {
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
