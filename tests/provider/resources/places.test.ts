import { UNKNOWN } from "../../../provider/fields/field";
import type { TunnelOutputs } from "../../../provider/resources/tunnel/inputs";
import { chosen, openWorld, tunnelInputs, type World } from "../world";

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

  it.each(["NEW", "DEPLOYED", "ERROR"] as const)("is refused where another one is, %s", async (status) => {
    await start();
    branch({ status });
    await expect(diff()).rejects.toThrow(
      `IPsec tunnel "hq" (${hq.id}): it can't move to loc-2: one tunnel is allowed per front door and location, ` +
        `and there is tnl-b (${status}) at loc-2; nothing was changed: move or remove that one first`,
    );
    await expect(diff({ peerCidr: "10.21.0.0/16" })).rejects.toThrow("tnl-b");
    expect(world.writes()).toEqual([]);
  });

  it("looks at no place where none is known or none changes", async () => {
    await start();
    branch();
    expect(await diff({ locationId: UNKNOWN })).toMatchObject({ deleteBeforeReplace: true });
    expect(await diff({ locationId: "loc-1", peerCidr: "10.21.0.0/16" })).toMatchObject({ deleteBeforeReplace: true });
    expect(await diff({ locationId: undefined, frontdoorId: "fd-2" })).toMatchObject({ deleteBeforeReplace: false });
    expect(world.calls()).toEqual([]);
  });

  it("is refused where another front door has one there, its id the same", async () => {
    await start({ idsPerFrontdoor: true, token: "t", tokens: { t: ["*"] } });
    expect(world.emulator.seedTunnel({ name: "theirs", locationId: "loc-1", frontdoorId: "fd-2" }).id).toBe(hq.id);
    await expect(diff({ locationId: "loc-1", frontdoorId: "fd-2" })).rejects.toThrow("there is tnl-1 (DEPLOYED)");
  });

  it("is told to adopt what may be its own, and only that", async () => {
    await start();
    branch({ name: "hq" });
    await expect(diff()).rejects.toThrow(
      /failed or was interrupted, set adopt: "tnl-b".*move or remove that one first/,
    );
    expect(await diff({ adopt: "tnl-b" })).toMatchObject({ replaces: ["locationId"] });
    world.emulator.removeTunnel("tnl-b");
    branch({ id: "tnl-c" });
    await expect(diff()).rejects.not.toThrow("adopt");
  });

  it("is offered what an interrupted run elsewhere has made, also where it was adopted and its name is another", async () => {
    await start();
    const origin = "organization::urn:pulumi:dev::p::t::hq";
    const { inputs: checked } = world.tunnels.check({ news: { ...moved, name: null }, olds: {}, origin });
    branch({ name: checked.name });
    const asked = world.tunnels.diff(hq.id, hq.outputs, moved, world.within(60), checked.name);
    await expect(asked).rejects.toThrow('left by a run that failed or was interrupted, set adopt: "tnl-b"');
  });
});

describe("a tunnel that is created where another one is", () => {
  let world: World;
  beforeEach(async () => {
    world = await openWorld();
    world.emulator.seedTunnel({ id: "tnl-b", name: "branch", locationId: "loc-1" });
  });
  afterEach(() => world.close());
  const create = () => world.tunnels.create({ ...tunnelInputs, locationId: "loc-1" }, chosen, world.within(1800));

  it("is told of the run that frees the place, of an alias and of adopt", async () => {
    await expect(create()).rejects.toThrow(/run "pulumi up" without this one first.* alias .*adopt: "tnl-b"/);
  });

  it("is not told to take over what is another resource's of the program", async () => {
    const branch = { ...tunnelInputs, name: "branch", locationId: "loc-1" };
    world.tunnels.check({ news: branch, olds: {}, origin: "organization::urn:pulumi:dev::p::t::branch" });
    const error = await create().catch((each: unknown) => (each as Error).message);
    expect(error).toMatch(/choose another locationId, or move or remove that one first/);
    expect(error).not.toContain("adopt");
  });
});
