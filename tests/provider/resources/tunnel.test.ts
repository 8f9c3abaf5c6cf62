import { UNKNOWN } from "../../../provider/fields/field";
import { chosen, openWorld, tunnelInputs, type World } from "../world";

describe("tunnel", () => {
  let world: World;
  const deployed = async () => {
    const made = await world.tunnels.create(tunnelInputs, chosen, world.within(1800));
    world.emulator.clock.advance(60_000);
    world.nextRun();
    world.calls();
    return made;
  };

  beforeEach(async () => {
    world = await openWorld();
  });
  afterEach(() => world.close());

  it.each([
    ["nothing", {}, [], false, true],
    ["the peer's address", { peerPublicIp: "203.0.113.8" }, ["peerPublicIp"], true, true],
    ["the peer's network", { peerCidr: "10.21.0.0/16" }, ["peerCidr"], true, true],
    ["the name", { name: "hq2" }, ["name"], true, true],
    ["the load balancer's address", { nlbPrivateIp: "10.9.9.9" }, ["nlbPrivateIp"], true, true],
    ["the location", { locationId: "loc-9" }, ["locationId"], true, false],
    ["the front door", { frontdoorId: "fd-2" }, ["frontdoorId"], true, false],
    ["an unknown location", { locationId: UNKNOWN }, ["locationId"], true, true],
    [
      "location and network",
      { locationId: "loc-9", peerCidr: "10.21.0.0/16" },
      ["peerCidr", "locationId"],
      true,
      false,
    ],
  ] as const)("diff: %s", async (_name, change, replaces, changes, deleteBeforeReplace) => {
    const { outputs } = await deployed();
    expect(await world.tunnelDiff(outputs, { ...tunnelInputs, ...change })).toEqual({
      changes,
      isOfInputs: false,
      replaces,
      deleteBeforeReplace,
    });
  });

  it.each([
    ["ERROR", "ERROR", ["status"]],
    ["DELETING", "DELETING", ["status"]],
    ["NEW", "NEW", []],
    ["SOMETHING_NEW", "SOMETHING_NEW", []],
    ["ERROR", "DEPLOYED", []],
    ["DELETED", "DEPLOYED", []],
  ])(
    "diff: a stored status %s is never unchanged, and read before a replacement: %s",
    async (...[status, now, replaces]) => {
      const { id, outputs } = await deployed();
      world.emulator.setStatus(id, now as never);
      expect(await world.tunnelDiff({ ...outputs, status }, tunnelInputs)).toMatchObject({ changes: true, replaces });
    },
  );

  it("update: refuses a change that needs a replacement, and sends nothing", async () => {
    const { id, outputs } = await deployed();
    const news = { ...tunnelInputs, name: "hq2", peerCidr: "10.21.0.0/16" };
    await expect(world.tunnels.update(id, outputs, news, world.within(1800))).rejects.toThrow(
      /a change of `peerCidr`, `name` needs a replacement.*\[replacement-needed\]$/,
    );
    expect(world.calls()).toEqual([]);
  });

  it("diff: inputs that are removed stay as they are", async () => {
    const inputs = { ...tunnelInputs, locationId: "loc-1", nlbPrivateIp: "10.9.9.9" };
    const { outputs } = await world.tunnels.create(inputs, chosen, world.within(1800));
    expect(outputs).toMatchObject({ locationId: "loc-1", nlbPrivateIp: "10.9.9.9" });
    expect((await world.tunnelDiff(outputs, tunnelInputs)).changes).toBe(false);
  });

  it("is kept as unfinished when its sample configuration cannot be read, and completed by the next run", async () => {
    world.emulator.faults.answerNext({ path: /sample-config/, status: 500, times: 1000 });
    const made = await world.tunnels.create(tunnelInputs, chosen, world.within(1800));
    expect(made.unfinished?.message).toContain("sample-config: 500");
    expect(made.outputs.status).toBe("DEPLOYED");
    expect((await world.tunnelDiff(made.outputs, tunnelInputs)).changes).toBe(true);
    world.emulator.faults.clear();
    const resumed = await world.tunnels.update(made.id, made.outputs, tunnelInputs, world.within(1800));
    expect(resumed.outputs.sampleConfig).toBeDefined();
  });

  it("waits for a tunnel on its way out to free the place", async () => {
    world.emulator.settings.teardownMs = 5_000;
    const { id, outputs } = await deployed();
    const leaving = world.tunnels.delete(id, outputs, world.within(1800));
    await world.clock.sleep(100);
    const made = await world.tunnels.create(tunnelInputs, chosen, world.within(1800));
    await leaving;
    expect(made).toMatchObject({ outputs: { status: "DEPLOYED" } });
    expect(made.id).not.toBe(id);
  });

  it("is deleted where it is on its way out already and the service refuses a second delete", async () => {
    const { id, outputs } = await deployed();
    world.emulator.settings.deletedShownAs = "DELETED";
    world.emulator.setStatus(id, "DELETED");
    world.emulator.faults.answerNext({ method: "DELETE", status: 409, body: { error: "conflict", message: "gone" } });
    await world.tunnels.delete(id, outputs, world.within(60));
    expect(world.writes()).toEqual([`DELETE /ipsec-tunnels/${id}`]);
  });
});
