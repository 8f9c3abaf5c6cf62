import { refuseTakenLocation } from "../../../provider/resources/locations";
import { Declarations } from "../../../provider/ledger/ledger";
import { checkedIn, declaredOn, port } from "../resources/set-program";
import { derived, openWorld, shareInputs, tunnelInputs, type World } from "../world";

it("an id has one resource of the program, whichever is seen first", () => {
  for (const [first, second] of [
    ["web", "other"],
    ["other", "web"],
  ] as const) {
    const declarations = new Declarations();
    expect(declarations.claim("shr-1", first)).toBeUndefined();
    expect(declarations.claim("shr-1", first)).toBeUndefined();
    expect(declarations.claim("shr-1", second)).toBe(first);
    expect(declarations.claim("shr-2", second)).toBeUndefined();
  }
});

describe("an id that two resources of the program have is refused", () => {
  let world: World;
  let id: string;
  const tunnelId = "tnl-1";
  const set = declaredOn(tunnelId, { db: port(5432) });

  /** A run, in which a set has a share in the state. */
  beforeEach(async () => {
    world = await openWorld({ provisionMs: 0 });
    world.emulator.seedTunnel({ ...tunnelInputs, id: tunnelId });
    const made = await world.sets.create(checkedIn(world, set).inputs, derived, world.within(60));
    id = made.outputs.ids["db"] ?? "";
    world.nextRun();
    world.calls();
    const { inputs } = checkedIn(world, set, made.outputs);
    await world.sets.diff(made.id, made.outputs, inputs, world.within(60));
  });
  afterEach(() => world.close());

  const adopting = (frontdoorId = "fd-1") => {
    const origin = "organization::urn:pulumi:test::office::frontdoor:index:IpsecShare::other";
    const news = { ...shareInputs(tunnelId), name: "other", frontdoorId, adopt: id };
    return world.shares.check({ news, olds: {}, origin }).failures.map(({ reason }) => reason);
  };

  it("in a single share and a key of a set, but not on two front doors", () => {
    expect(adopting()).toEqual([expect.stringMatching(`^${id} .*"other".*\\["db"\\].*\\[id-twice\\]$`)]);
    expect(adopting("fd-2")).toEqual([]);
  });

  it("in two keys of a set", () => {
    const { failures } = checkedIn(world, declaredOn(tunnelId, { db: port(5432), api: port(443, { adopt: id }) }));
    expect(failures.map(({ reason }) => reason)).toEqual([
      expect.stringMatching(`^${id} .*\\["api"\\].*\\["db"\\].*\\[id-twice\\]$`),
    ]);
    expect(world.writes()).toEqual([]);
  });
});

describe("a location that two tunnels of the program have is refused", () => {
  let world: World;
  beforeAll(async () => (world = await openWorld()));
  afterAll(() => world.close());

  it("on one front door, and only if the program names the location", () => {
    const failures = (name: string, given: object) => {
      const origin = `organization::urn:pulumi:test::office::frontdoor:index:IpsecTunnel::${name}`;
      return world.tunnels.check({ news: { ...tunnelInputs, name, ...given }, olds: {}, origin }).failures;
    };
    expect(failures("hq", { locationId: "loc-7" })).toEqual([]);
    expect(failures("branch", { locationId: "loc-7" })).toEqual([
      { property: "locationId", reason: expect.stringMatching(/"hq".*\[place-twice\]$/) as unknown },
    ]);
    expect(failures("branch", { locationId: "loc-7", frontdoorId: "fd-2" })).toEqual([]);
    for (const name of ["a", "b"]) expect(failures(name, { locationId: undefined })).toEqual([]);
  });
});

describe("with oneTunnelPerLocation = false, two tunnels of the program at one location", () => {
  let world: World;
  beforeAll(
    async () => (world = await openWorld({}, undefined, () => ({ "frontdoor:oneTunnelPerLocation": "false" }))),
  );
  afterAll(() => world.close());

  it("are warned of, and the service decides", async () => {
    const checked = (name: string) => {
      const origin = `organization::urn:pulumi:test::office::frontdoor:index:IpsecTunnel::${name}`;
      return world.tunnels.check({ news: { ...tunnelInputs, name, locationId: "loc-7" }, olds: {}, origin });
    };
    const hq = checked("hq");
    const branch = checked("branch");
    expect([hq.failures, branch.failures]).toEqual([[], []]);
    expect(world.said.filter((line) => line.includes("[place-twice]"))).toEqual([
      expect.stringMatching(/"hq" and "branch" have one location, loc-7\. .*the service decides\./),
    ]);
    world.emulator.seedTunnel({ id: "tnl-7", name: "others", locationId: "loc-7" });
    await refuseTakenLocation({ ...world.within(60), service: world.service }, branch.inputs);
    const inputs = branch.inputs as Parameters<typeof world.tunnels.create>[0];
    await expect(world.tunnels.create(inputs, derived, world.within(600))).rejects.toThrow(/\[place-taken\]$/);
    expect(world.writes()).toEqual([expect.stringMatching(/^POST /)]);
  });
});
