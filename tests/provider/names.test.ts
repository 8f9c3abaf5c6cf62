import { UNKNOWN } from "../../provider/fields/field";
import type { ShareInputs, ShareOutputs } from "../../provider/fields/share";
import {
  checkedIn,
  declaredOn,
  port,
  deploy,
  derived,
  openWorld,
  shareInputs,
  tunnelInputs,
  type World,
  chosen,
} from "../harness/world";

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
});

describe("an id that this run owns", () => {
  let world: World;
  const inputs = shareInputs("tnl-1");
  const minute = () => world.within(60);
  const deployed = () => deploy(world, world.shares, inputs);
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

  it.each<[string, (share: Share) => Promise<unknown>]>([
    ["adopted", ({ id }) => world.shares.create({ ...inputs, adopt: id }, chosen, world.within(900))],
    ["updated", ({ id, outputs }) => world.shares.update(id, outputs, { ...inputs, target: "b:1" }, minute())],
    ["unchanged", ({ id, outputs }) => (declare(), world.shareDiff(outputs, inputs, id))],
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
    await world.shareDiff(outputs, { ...inputs, target: "b:1" }, id);
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

type Fate = "unknown" | "stays" | "moves" | "goes";

describe("what Pulumi is answered about a share whose id is", () => {
  let world: World;
  let share: { id: string; outputs: ShareOutputs };
  const inputs = shareInputs("tnl-1");
  const minute = () => world.within(60);
  const asked = () => world.shareDiff(share.outputs, { ...inputs, ipsecTunnelId: UNKNOWN }, share.id);
  const origin = "organization::urn:pulumi:test::office::frontdoor:index:IpsecShare::web";
  const compared = (news: ShareInputs) => {
    world.shares.check({ news: { ...news }, olds: { ...inputs }, origin });
    return world.shareDiff(share.outputs, news, share.id);
  };
  const become: Record<Fate, () => unknown> = {
    unknown: () => undefined,
    stays: () => compared(inputs),
    moves: () => compared({ ...inputs, ipsecTunnelId: "tnl-2" }),
    goes: () => asked(),
  };

  beforeEach(async () => {
    world = await openWorld({ provisionMs: 0, teardownMs: 0 });
    for (const id of ["tnl-1", "tnl-2"]) world.emulator.seedTunnel({ ...tunnelInputs, id, locationId: id });
    share = await deploy(world, world.shares, inputs);
  });

  it.each<[Fate, replaces: string[], writes: number]>([
    ["unknown", ["ipsecTunnelId"], 1],
    ["stays", [], 0],
    ["moves", [], 1],
    ["goes", ["ipsecTunnelId"], 1],
  ])(
    "%s: if its tunnel is replaced, it is replaced for %j; a delete sends %i requests",
    async (state, replaces, writes) => {
      await become[state]();
      expect(await asked()).toMatchObject({ changes: replaces.length > 0, replaces });
      world.nextRun();
      await become[state]();
      world.calls();
      await world.shares.delete(share.id, share.outputs, minute());
      expect(world.writes()).toHaveLength(writes);
    },
  );
});
