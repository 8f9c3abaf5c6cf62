import { openWorld, tunnelInputs, type World } from "../world";

describe("two tunnels of one front door that name no location", () => {
  let world: World;
  beforeEach(async () => (world = await openWorld()));
  afterEach(() => world.close());
  const check = (name: string, more: object = {}, olds = {}) => {
    const origin = `organization::urn:pulumi:test::office::frontdoor:index:IpsecTunnel::${name}`;
    const { failures } = world.tunnels.check({ news: { ...tunnelInputs, name, ...more }, olds, origin });
    expect(failures).toEqual([]);
  };
  const told =
    /^IPsec tunnels "branch" and "hq" of front door fd-1 .* Give each tunnel a `locationId` of its own .*\[location-open\]$/;

  it("are told of, once for each tunnel", () => {
    check("hq");
    expect(world.said).toEqual([]);
    check("branch");
    expect(world.said).toEqual([expect.stringMatching(told)]);
  });

  it.each<[string, object, object]>([
    ["has a location", { locationId: "loc-2" }, {}],
    ["is on another front door", { frontdoorId: "fd-2" }, {}],
    ["adopts one", { adopt: "tnl-9" }, {}],
  ])("are no matter if the second one %s", (_what, more, olds) => {
    check("hq");
    check("branch", more, olds);
    expect(world.said).toEqual([]);
  });

  it("are no matter if both are deployed, but a third one is", () => {
    for (const name of ["hq", "branch"]) check(name, {}, { ...tunnelInputs, name });
    expect(world.said).toEqual([]);
    check("new");
    expect(world.said).toHaveLength(1);
  });
});
