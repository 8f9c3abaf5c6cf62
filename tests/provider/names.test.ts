import { derived, openWorld, shareInputs, tunnelInputs, type World } from "../harness/world";

describe("a location that two tunnels of the program have is refused", () => {
  let world: World;
  beforeEach(async () => (world = await openWorld()));

  it("on one front door, and only if the program names the location", () => {
    const failures = (name: string, given: object) => {
      const origin = `organization::urn:pulumi:test::office::frontdoor:index:IpsecTunnel::${name}`;
      return world.tunnels.check({ news: { ...tunnelInputs, name, ...given }, olds: {}, origin }).failures;
    };
    expect(failures("hq", { locationId: "loc-7" })).toEqual([]);
    for (const locationId of ["loc-7", "Loc-7"])
      expect(failures("branch", { locationId })).toEqual([
        { property: "locationId", reason: expect.stringMatching(/"hq".*\[place-twice\]$/) as unknown },
      ]);
    expect(failures("branch", { locationId: "loc-7", frontdoorId: "fd-2" })).toEqual([]);
    for (const name of ["a", "b"]) expect(failures(name, { locationId: undefined })).toEqual([]);
  });
});

describe("with oneTunnelPerLocation = false, two tunnels of the program at one location", () => {
  let world: World;
  beforeEach(
    async () => (world = await openWorld({}, undefined, () => ({ "frontdoor:oneTunnelPerLocation": "false" }))),
  );

  it("are warned of, and the service decides", async () => {
    const checked = (name: string) => {
      const origin = `organization::urn:pulumi:test::office::frontdoor:index:IpsecTunnel::${name}`;
      return world.tunnels.check({ news: { ...tunnelInputs, name, locationId: "loc-7" }, olds: {}, origin });
    };
    const hq = checked("hq");
    const branch = checked("branch");
    expect([hq.failures, branch.failures]).toEqual([[], []]);
    expect(world.said.filter((line) => line.includes("[place-twice]"))).toEqual([
      expect.stringMatching(/"hq" and "branch" are both at location loc-7\. .*Frontdoor decides\./),
    ]);
    world.emulator.seedTunnel({ id: "tnl-7", name: "others", locationId: "loc-7" });
    const inputs = branch.inputs as Parameters<typeof world.tunnels.create>[0];
    await expect(world.tunnels.create(inputs, derived, world.within(600))).rejects.toThrow(/\[place-taken\]$/);
    expect(world.writes()).toEqual([expect.stringMatching(/^POST /)]);
  });
});

const origin = (name: string) => `organization::urn:pulumi:dev::net::frontdoor:index:Any::${name}`;

const unnamedShare = { ...shareInputs("tnl-1"), name: undefined };

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
});
