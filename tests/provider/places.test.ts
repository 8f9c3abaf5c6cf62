import { showEach } from "../harness/shown";
import { UNKNOWN } from "../../provider/fields/field";
import {
  deploy,
  chosen,
  openWorld,
  tunnelInputs,
  type World,
  derived,
  shareInputs,
  checkedIn,
  declaredOn,
  port,
} from "../harness/world";
import type { ShareInputs } from "../../provider/fields/share";

describe("two tunnels of one front door that name no location", () => {
  let world: World;
  beforeEach(async () => (world = await openWorld()));
  const check = (name: string, more: object = {}, olds = {}) => {
    const origin = `organization::urn:pulumi:test::office::frontdoor:index:IpsecTunnel::${name}`;
    const { failures } = world.tunnels.check({ news: { ...tunnelInputs, name, ...more }, olds, origin });
    expect(failures).toEqual([]);
  };
  const told =
    /^IPsec tunnels "branch" and "hq" of front door fd-1 .* Set a different `locationId` for each\. \[location-open\]$/;

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

describe("share location", () => {
  let world: World;

  let here: string;

  let there: string;

  beforeEach(async () => {
    world = await openWorld({ filtersHonoured: true });
    const tunnel = async (name: string, locationId: string) =>
      (await world.tunnels.create({ ...tunnelInputs, name, locationId }, chosen, world.within(900))).id;
    [here, there] = [await tunnel("hq", "loc-1"), await tunnel("hub", "loc-2")];
  });

  const create = (inputs: ShareInputs) => deploy(world, world.shares, inputs);

  /** The service's lists lack each optional field of a share. */
  const leaveOutOfLists = () => {
    showEach(world.emulator, "share", ({ locationId: _none, ...share }) => share, "lists");
  };

  const live = (id: string) => world.emulator.shares().find((share) => share.id === id);

  describe("a share that moves to another tunnel", () => {
    const moving = () => world.writes().map((line) => JSON.parse(line.slice(line.indexOf("{"))) as unknown);
    const both = () => ({ ipsecTunnelId: there, locationId: "loc-2" });

    it.each([["as lists show it"], ["where lists lack locations"]])(
      "takes the new location in its PATCH, %s",
      async (by) => {
        const areListsPartial = by === "where lists lack locations";
        if (areListsPartial) leaveOutOfLists();
        const { id, outputs } = await create(shareInputs(here));
        const news = shareInputs(there);
        const diff = await world.shareDiff(outputs, news, id);
        expect(await world.shares.preview(id, outputs, news, diff, world.within(60))).toBe(
          "interrupted until DEPLOYED, keeps its id: PATCH ipsecTunnelId, locationId",
        );
        const made = await world.shares.update(id, outputs, news, world.within(900));
        expect(moving()).toEqual([both()]);
        expect(live(id)).toMatchObject(both());
        expect(made.outputs).toMatchObject({ ...(!areListsPartial && both()), __set: [] });
        world.nextRun();
        expect(await world.shareDiff(made.outputs, news, id)).toMatchObject({ changes: false });
      },
    );

    it("keeps the location that its PATCH has sent where lists lack it and reads lag", async () => {
      leaveOutOfLists();
      const { id, outputs } = await create({ ...shareInputs(here), locationId: "loc-1" });
      world.emulator.settings.readLagMs = 20_000;
      const moved = { ...shareInputs(here), locationId: "loc-2" };
      const made = await world.shares.update(id, outputs, moved, world.within(900));
      expect(made.unfinished).toBeUndefined();
      expect(made.outputs).toMatchObject({ locationId: "loc-2", status: "DEPLOYED" });
    });

    it("is not written if the tunnels cannot be read", async () => {
      const { id, outputs } = await create(shareInputs(here));
      world.emulator.faults.answerNext({ method: "GET", path: "/ipsec-tunnels", status: 500, times: Infinity });
      await expect(world.shares.update(id, outputs, shareInputs(there), world.within(900))).rejects.toThrow(/500/);
      expect(world.writes()).toEqual([]);
    });

    it("does so in a set", async () => {
      const program = (tunnelId: string) =>
        checkedIn(world, declaredOn(tunnelId, { a: port(1), b: port(2, { locationId: "loc-1" }) })).inputs;
      const made = await world.sets.create(program(here), derived, world.within(900));
      world.emulator.clock.advance(60_000);
      world.nextRun();
      world.calls();
      const next = await world.sets.update(made.id, made.outputs, program(there), world.within(900));
      expect(new Set(moving())).toEqual(new Set([both(), { ipsecTunnelId: there }]));
      expect(next.outputs.shares).toMatchObject({ a: { locationId: "loc-2" }, b: { locationId: "loc-1" } });
      expect(world.sets.knownOutputs(program(there), made.outputs)).toMatchObject({
        shares: { a: { locationId: UNKNOWN }, b: { locationId: "loc-1" } },
      });
    });
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
