import { UNKNOWN } from "../../../provider/fields/field";
import type { TunnelOutputs } from "../../../provider/fields/tunnel";
import { chosen, openWorld, tunnelInputs, type World } from "../world";

const origin = (name: string) => `organization::urn:pulumi:dev::p::t::${name}`;

// One tunnel is allowed per front door and location (spec: Tunnel rule).
describe("a tunnel that moves", () => {
  let world: World;
  let hq: { id: string; outputs: TunnelOutputs };
  const inputs = { ...tunnelInputs, locationId: "loc-1" };
  const moved = { ...inputs, locationId: "loc-2" };
  const start = async (settings: Parameters<typeof openWorld>[0] = {}) => {
    world = await openWorld(settings);
    hq = await world.tunnels.create(inputs, chosen, world.within(1800));
    world.emulator.clock.advance(60_000);
    world.calls();
  };
  const branch = (fields = {}) =>
    world.emulator.seedTunnel({ id: "tnl-b", name: "branch", locationId: "loc-2", ...fields });
  const diff = (news: object = moved) => world.tunnelDiff(hq.outputs, { ...moved, ...news }, hq.id);
  afterEach(() => world.close());

  it.each(["NEW", "DEPLOYED", "ERROR"] as const)("is refused at an occupied location, %s", async (status) => {
    await start();
    branch({ status });
    await expect(diff()).rejects.toThrow(
      new RegExp(`^IPsec tunnel "hq" \\(${hq.id}\\): location loc-2 .* tnl-b.*\\[place-taken\\]$`),
    );
    await expect(diff({ peerCidr: "10.21.0.0/16" })).rejects.toThrow("tnl-b");
    expect(world.writes()).toEqual([]);
  });

  it("reads nothing if the location is unknown or stays", async () => {
    await start();
    branch();
    expect(await diff({ locationId: UNKNOWN })).toMatchObject({ deleteBeforeReplace: true });
    expect(await diff({ locationId: "loc-1", peerCidr: "10.21.0.0/16" })).toMatchObject({ deleteBeforeReplace: true });
    expect(await diff({ locationId: undefined, frontdoorId: "fd-2" })).toMatchObject({ deleteBeforeReplace: false });
    expect(world.calls()).toEqual([]);
  });

  it("is refused at a location of another front door that a tunnel of the same id has", async () => {
    await start({ idsPerFrontdoor: true, token: "t", tokens: { t: ["*"] } });
    expect(world.emulator.seedTunnel({ name: "theirs", locationId: "loc-1", frontdoorId: "fd-2" }).id).toBe(hq.id);
    await expect(diff({ locationId: "loc-1", frontdoorId: "fd-2" })).rejects.toThrow(/tnl-1\. .*\[place-taken\]$/);
  });

  it("is told to adopt a tunnel of its own name, and no other", async () => {
    await start();
    branch({ name: "hq" });
    world.tunnels.check({ news: { ...moved }, olds: { ...inputs }, origin: origin("hq") });
    await expect(diff()).rejects.toThrow(/adopt: "tnl-b"` in the arguments\. \[place-taken\]$/);
    expect(await diff({ adopt: "tnl-b" })).toMatchObject({ replaces: ["locationId"] });
    world.emulator.removeTunnel("tnl-b");
    branch({ id: "tnl-c" });
    await expect(diff()).rejects.not.toThrow("adopt");
  });

  it("is told to apply the move of the tunnel there first, unless the two exchange their locations", async () => {
    await start();
    branch();
    const there = { ...tunnelInputs, name: "branch" };
    const declare = (name: string, news: object, olds: Record<string, unknown>) =>
      world.tunnels.check({ news: { ...tunnelInputs, name, ...news }, olds, origin: origin(name) });
    declare("branch", { locationId: "loc-3" }, { ...there, locationId: "loc-2" });
    declare("hq", moved, inputs);
    await expect(diff()).rejects.toThrow(
      /tnl-b at the end of a run\. Run `pulumi up --target '\*\*branch\*\*' .*\[place-taken\]$/,
    );
    await world.close();
    await start();
    branch();
    declare("branch", { locationId: "loc-1" }, { ...there, locationId: "loc-2" });
    declare("hq", moved, inputs);
    await expect(diff()).rejects.toThrow(/Give your tunnel a `locationId` of its own .*\[place-taken\]$/);
  });

  it("is told to adopt a tunnel that has the name derived for it, even if it was adopted under another name", async () => {
    await start();
    const { inputs: checked } = world.tunnels.check({ news: { ...moved, name: null }, olds: {}, origin: origin("hq") });
    branch({ name: checked.name });
    const asked = world.tunnels.diff(hq.id, hq.outputs, moved, world.within(60), checked.name);
    await expect(asked).rejects.toThrow(/adopt: "tnl-b"` in the arguments\. \[place-taken\]$/);
  });
});

it("a tunnel that moves is created, if a list leaves out the location of the old one", async () => {
  const world = await openWorld();
  const inputs = { ...tunnelInputs, locationId: "loc-1" };
  const { id, outputs } = await world.tunnels.create(inputs, chosen, world.within(1800));
  world.emulator.clock.advance(60_000);
  world.nextRun();
  const moved = { ...inputs, locationId: "loc-2" };
  await world.tunnelDiff(outputs, moved, id);
  world.emulator.faults.answerNext({
    ...{ method: "GET", path: "/ipsec-tunnels", status: 200 },
    body: { content: [{ ...tunnelInputs, id, status: "DEPLOYED" }], totalElements: 1, totalPages: 1 },
  });
  expect(await world.tunnels.create(moved, chosen, world.within(1800))).toMatchObject({ id: "tnl-2" });
  await world.close();
});

describe("a tunnel that is created at an occupied location", () => {
  let world: World;
  beforeEach(async () => {
    world = await openWorld();
    world.emulator.seedTunnel({ id: "tnl-b", name: "branch", locationId: "loc-1" });
  });
  afterEach(() => world.close());
  const create = () => world.tunnels.create({ ...tunnelInputs, locationId: "loc-1" }, chosen, world.within(1800));

  it("is refused with the id of that one", async () => {
    await expect(create()).rejects.toThrow(/tnl-b \(409 conflict: .* already\)\. .*\[place-taken\]$/);
  });

  it("is told to get a location of its own if that one is another resource of the program", async () => {
    const branch = { ...tunnelInputs, name: "branch", locationId: "loc-1" };
    world.tunnels.check({ news: branch, olds: {}, origin: origin("branch") });
    await expect(create()).rejects.toThrow(/Give your tunnel a `locationId` of its own .*\[place-taken\]$/);
  });
});

it("a preview refuses to create a tunnel at a location that a tunnel of another stack occupies", async () => {
  const world = await openWorld();
  const inputs = { ...tunnelInputs, locationId: "loc-1" };
  const preview = (more = {}) => world.tunnels.refuseTaken?.({ ...inputs, ...more }, world.within(60));
  await preview();
  world.emulator.seedTunnel({ id: "tnl-b", name: "branch", locationId: "loc-1" });
  await expect(preview()).rejects.toThrow(/location loc-1 .*tnl-b.*\[place-taken\]$/);
  for (const free of [{ locationId: "loc-2" }, { locationId: UNKNOWN }, { adopt: "tnl-b" }, { name: "branch" }])
    await preview(free);
  await world.close();
});
