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

// One tunnel is allowed per front door and location (spec: Tunnel rule).
it("a tunnel that moves is compared without a read: the service refuses an occupied location before anything is deleted", async () => {
  const world = await openWorld();
  const inputs = { ...tunnelInputs, locationId: "loc-1" };
  const { id, outputs } = await deploy(world, world.tunnels, inputs);
  world.emulator.seedTunnel({ id: "tnl-b", name: "branch", locationId: "loc-2" });
  world.calls();
  const moved = { ...inputs, locationId: "loc-2" };
  expect(await world.tunnelDiff(outputs, moved, id)).toMatchObject({ deleteBeforeReplace: false });
  expect(await world.tunnelDiff(outputs, { ...inputs, locationId: UNKNOWN } as never, id)).toMatchObject({
    deleteBeforeReplace: true,
  });
  expect(world.calls()).toEqual([]);
  await expect(world.tunnels.create(moved, chosen, world.within(1800))).rejects.toThrow(/tnl-b.*\[place-taken\]$/);
  expect(world.writes().filter((line) => !line.startsWith("POST"))).toEqual([]);
});

it("a tunnel that moves is created, if a list leaves out the location of the old one", async () => {
  const world = await openWorld();
  const inputs = { ...tunnelInputs, locationId: "loc-1" };
  const { id, outputs } = await deploy(world, world.tunnels, inputs);
  const moved = { ...inputs, locationId: "loc-2" };
  await world.tunnelDiff(outputs, moved, id);
  world.emulator.faults.answerNext({
    ...{ method: "GET", path: "/ipsec-tunnels", status: 200 },
    body: { content: [{ ...tunnelInputs, id, status: "DEPLOYED" }], totalElements: 1, totalPages: 1 },
  });
  expect(await world.tunnels.create(moved, chosen, world.within(1800))).toMatchObject({ id: "tnl-2" });
});

describe("a tunnel that is created at an occupied location", () => {
  let world: World;
  beforeEach(async () => {
    world = await openWorld();
    world.emulator.seedTunnel({ id: "tnl-b", name: "branch", locationId: "loc-1" });
  });
  const create = () => world.tunnels.create({ ...tunnelInputs, locationId: "loc-1" }, chosen, world.within(1800));

  it("is refused with the id of that one", async () => {
    await expect(create()).rejects.toThrow(
      /"branch" \(tnl-b\) \(409 conflict: .* already\)\. .* `adopt: "tnl-b"`\. \[place-taken\]$/,
    );
  });

  it.each(["net-dev-hq", "net-dev-hq-1a2b3c4d"])(
    "asks for the right stack, if that is its twin %s in another",
    async (name) => {
      world = await openWorld();
      world.emulator.seedTunnel({ id: "tnl-b", name, locationId: "loc-1" });
      const origin = "organization::urn:pulumi:prod::net::frontdoor:index:IpsecTunnel::hq";
      world.tunnels.check({ news: { ...tunnelInputs, locationId: "loc-1" }, olds: {}, origin });
      await expect(create()).rejects.toThrow(
        /It looks like one of stack "dev": is the right stack selected\? If it is, choose another `locationId`\. \[place-taken\]$/,
      );
    },
  );
});

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

  describe("an entry of a list that lacks locationId, beside a GET that fails", () => {
    /** The first GET is that of the share before the update. */
    const failing = (id: string, skip = 1) =>
      world.emulator.faults.answerNext({
        method: "GET",
        path: `/ipsec-shares/${id}`,
        status: 500,
        skip,
        times: Infinity,
      });

    it.each([["given by the program"], ["chosen by Frontdoor"]])("does not lose the location %s", async (by) => {
      const first = { ...shareInputs(here), ...(by === "given by the program" && { locationId: "loc-1" }) };
      const { id, outputs } = await create(first);
      expect(outputs.locationId).toBe("loc-1");
      leaveOutOfLists();
      failing(id);
      const news = { ...first, target: "b.internal:1" };
      const made = await world.shares.update(id, outputs, news, world.within(900));
      expect(made).toMatchObject({ outputs: { locationId: "loc-1", target: "b.internal:1", status: "DEPLOYED" } });
      world.nextRun();
      expect(await world.shareDiff(made.outputs, news, id)).toMatchObject({ changes: false });
    });
  });

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

    it.each([
      ["gives its location", { locationId: "loc-1" }, {}],
      ["has given another location", { locationId: "loc-9" }, { locationId: "loc-9" }],
    ])("keeps to the program that %s", async (_name, before, after) => {
      const { id, outputs } = await create({ ...shareInputs(here), ...before });
      await world.shares.update(id, outputs, { ...shareInputs(there), ...before, ...after }, world.within(900));
      expect(moving()).toEqual([{ ipsecTunnelId: there }]);
    });

    it("takes the new location if the program removes the old one in the same edit", async () => {
      const { id, outputs } = await create({ ...shareInputs(here), locationId: "loc-1" });
      const diff = await world.shareDiff(outputs, shareInputs(there), id);
      const line = world.shares.preview(id, outputs, shareInputs(there), diff, world.within(60));
      expect(await line).toBe("interrupted until DEPLOYED, keeps its id: PUT");
      const made = await world.shares.update(id, outputs, shareInputs(there), world.within(900));
      expect(moving()).toEqual([expect.objectContaining(both())]);
      expect(live(id)).toMatchObject(both());
      expect(made.unfinished).toBeUndefined();
    });

    it("takes the new location when a site or another resource adopts it", async () => {
      const { id } = await create(shareInputs(here));
      const made = await world.shares.create({ ...shareInputs(there), adopt: id }, chosen, world.within(900));
      expect(moving()).toEqual([both()]);
      expect(made.outputs).toMatchObject(both());
    });

    it("is foretold if Pulumi creates the new tunnel first", async () => {
      const { id, outputs } = await create(shareInputs(here));
      const tunnel = await world.tunnels.read(here, { ...tunnelInputs, status: "DEPLOYED" }, world.within(60));
      if (!tunnel) throw new Error("the tunnel is gone");
      const moved = { ...tunnelInputs, locationId: "loc-3" };
      world.tunnels.check({ news: moved, olds: { ...tunnel }, origin: "organization::urn:pulumi:dev::p::t::hq" });
      await world.tunnelDiff(tunnel, moved, here);
      const news = { ...shareInputs(here), ipsecTunnelId: UNKNOWN } as const;
      const diff = { changes: true, isOfInputs: true, replaces: [], deleteBeforeReplace: true };
      expect(await world.shares.preview(id, outputs, news, diff, world.within(60))).toContain(
        "PATCH ipsecTunnelId, locationId",
      );
    });

    it("keeps the location that its PATCH has sent where lists lack it and reads lag", async () => {
      leaveOutOfLists();
      const { id, outputs } = await create({ ...shareInputs(here), locationId: "loc-1" });
      world.emulator.settings.readLagMs = 20_000;
      const moved = { ...shareInputs(here), locationId: "loc-2" };
      const made = await world.shares.update(id, outputs, moved, world.within(900));
      expect(made.unfinished).toBeUndefined();
      expect(made.outputs).toMatchObject({ locationId: "loc-2", status: "DEPLOYED" });
    });

    it("takes its location also back from where somebody has moved it after an unfinished update", async () => {
      const { id, outputs } = await create(shareInputs(here));
      world.emulator.patchShare(id, both());
      await world.clock.sleep(120_000);
      await world.shares.update(id, { ...outputs, status: "NEW" }, shareInputs(here), world.within(900));
      expect(moving()).toEqual([{ ipsecTunnelId: here, locationId: "loc-1" }]);
    });

    it("is replaced if it moves to another front door, whose tunnel a preview does not know", async () => {
      const { id, outputs } = await create(shareInputs(here));
      world.service.frontDoor("fd-1").tunnels.register.keeps(here);
      const news = { ...shareInputs(here), frontdoorId: "fd-2", ipsecTunnelId: UNKNOWN } as const;
      const diff = world.shares.diff(id, outputs, news, { ...world.within(60), isChecked: true });
      expect(await diff).toMatchObject({ changes: true, replaces: ["frontdoorId"], deleteBeforeReplace: false });
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
