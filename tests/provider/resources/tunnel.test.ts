import { UNKNOWN } from "../../../provider/fields/field";
import { chosen, openWorld, shareInputs, tunnelInputs, type World } from "../world";

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

  it("is created, waited for and read whole", async () => {
    const made = await world.tunnels.create(tunnelInputs, chosen, world.within(1800));
    expect(made.unfinished).toBeUndefined();
    expect(made.outputs).toMatchObject({ name: "hq", status: "DEPLOYED", peerCidr: "10.20.0.0/16" });
    expect(made.outputs.nlbDnsName).toMatch(/\./);
    expect(made.outputs.nlbPrivateIp).toMatch(/^10\./);
    expect(made.outputs.sampleConfig).toContain(world.emulator.samplePsk(made.id));
    expect(Object.keys(made.outputs.tunnelConfig ?? {})).toEqual(
      expect.arrayContaining(["outsideIpAddress", "ikeVersions"]),
    );
    expect(Object.keys(made.outputs.tunnelConfig ?? {})).not.toEqual(expect.arrayContaining(["status"]));
    expect(world.calls().filter((line) => !line.startsWith("GET /ipsec-tunnels?"))).toEqual([
      'POST /ipsec-tunnels {"name":"hq","peerPublicIp":"203.0.113.7","peerCidr":"10.20.0.0/16"}',
      `GET /ipsec-tunnels/${made.id}`,
      `GET /ipsec-tunnels/${made.id}/tunnel-config`,
      `GET /ipsec-tunnels/${made.id}/sample-config`,
    ]);
  });

  it("is read as it was created", async () => {
    const { id, outputs } = await deployed();
    expect(await world.tunnels.read(id, outputs, world.within(60))).toEqual(outputs);
  });

  it("neither fetches nor keeps the sample configuration when told so", async () => {
    const inputs = { ...tunnelInputs, storeSampleConfig: false };
    const made = await world.tunnels.create(inputs, chosen, world.within(1800));
    expect(made.outputs.sampleConfig).toBeUndefined();
    expect(world.calls().join("\n")).not.toContain("sample-config");
    expect((await world.tunnelDiff(made.outputs, inputs)).changes).toBe(false);
    expect(await world.tunnelDiff(made.outputs, tunnelInputs)).toMatchObject({ changes: true, replaces: [] });
    const switchedOn = await world.tunnels.update(made.id, made.outputs, tunnelInputs, world.within(60));
    expect(switchedOn.outputs.sampleConfig).toContain(world.emulator.samplePsk(made.id));
    const switchedOff = await world.tunnels.update(made.id, switchedOn.outputs, inputs, world.within(60));
    expect(switchedOff.outputs).toEqual(made.outputs);
  });

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
    ["ERROR", ["status"]],
    ["DELETING", ["status"]],
    ["NEW", []],
    ["SOMETHING_NEW", []],
  ])("diff: a stored status %s is never unchanged", async (status, replaces) => {
    const { id, outputs } = await deployed();
    world.emulator.setStatus(id, status as never);
    expect(await world.tunnelDiff({ ...outputs, status }, tunnelInputs)).toMatchObject({ changes: true, replaces });
  });

  it.each(["ERROR", "DELETING", "DELETED"])(
    "diff: a stored status %s is looked at before a replacement",
    async (status) => {
      const { id, outputs } = await deployed();
      expect(await world.tunnelDiff({ ...outputs, status }, tunnelInputs)).toMatchObject({
        changes: true,
        replaces: [],
      });
      expect(world.calls()).toEqual([`GET /ipsec-tunnels/${id}`]);
    },
  );

  it("diff: one that is stored as ERROR and gone is replaced, once two looks have not found it", async () => {
    const { outputs } = await deployed();
    world.emulator.reset();
    const startedMs = world.clock.now();
    const diff = await world.tunnelDiff({ ...outputs, status: "ERROR" }, tunnelInputs);
    expect(diff).toMatchObject({ replaces: ["status"], deleteBeforeReplace: true });
    expect(Math.round(world.clock.now() - startedMs)).toBeGreaterThanOrEqual(6_000);
    expect(world.calls()).toHaveLength(4);
  });

  it("diff: inputs that are removed stay as they are", async () => {
    const inputs = { ...tunnelInputs, locationId: "loc-1", nlbPrivateIp: "10.9.9.9" };
    const { outputs } = await world.tunnels.create(inputs, chosen, world.within(1800));
    expect(outputs).toMatchObject({ locationId: "loc-1", nlbPrivateIp: "10.9.9.9" });
    expect((await world.tunnelDiff(outputs, tunnelInputs)).changes).toBe(false);
  });

  it("keeps the id when provisioning ends in ERROR, and the next diff replaces it", async () => {
    world.emulator.faults.failNext({ kind: "tunnel", op: "create" });
    const made = await world.tunnels.create(tunnelInputs, chosen, world.within(1800));
    expect(made.unfinished?.message).toMatch(
      /IPsec tunnel "hq" \(tnl-1\): the service reports ERROR; .*it replaces the tunnel/,
    );
    expect(await world.tunnelDiff(made.outputs, tunnelInputs)).toMatchObject({
      replaces: ["status"],
      deleteBeforeReplace: true,
    });
  });

  it("takes up a wait that was cut short", async () => {
    world.emulator.settings.provisionMs = 30_000;
    const made = await world.tunnels.create(tunnelInputs, chosen, world.within(3));
    expect(made.unfinished?.message).toContain("still NEW after 3 s");
    const resumed = await world.tunnels.update(made.id, made.outputs, tunnelInputs, world.within(1800));
    expect(resumed.outputs).toMatchObject({ status: "DEPLOYED" });
    expect(resumed.outputs.sampleConfig).toBeDefined();
    expect(world.writes()).toEqual([expect.stringMatching("^POST ")]);
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

  it("is not deleted while live shares use it, and the error names them", async () => {
    const { id, outputs } = await deployed();
    const share = await world.shares.create(shareInputs(id), chosen, world.within(900));
    await expect(world.tunnels.delete(id, outputs, world.within(1800))).rejects.toThrow(
      `"web" (${share.id}, DEPLOYED)`,
    );
    expect(world.emulator.tunnels()).toMatchObject([{ id, status: "DEPLOYED" }]);
  });

  it("waits for shares that are being deleted, then deletes", async () => {
    const { id, outputs } = await deployed();
    world.emulator.seedShare({ ipsecTunnelId: id, name: "leaving", status: "DELETING" });
    const share = world.emulator.shares()[0];
    const deletion = world.tunnels.delete(id, outputs, world.within(1800));
    await world.clock.sleep(5_000);
    world.emulator.removeShare(share?.id ?? "");
    await deletion;
    expect(world.writes().every((line) => line === `DELETE /ipsec-tunnels/${id}`)).toBe(true);
    expect(await world.tunnels.read(id, outputs, world.within(60))).toBeUndefined();
  });

  it("is refused with the service's words where another tunnel has its place", async () => {
    await deployed();
    await expect(world.tunnels.create({ ...tunnelInputs, name: "hq2" }, chosen, world.within(1800))).rejects.toThrow(
      "one tunnel is allowed per front door and location, and there is tnl-1 (DEPLOYED) at loc-1",
    );
  });

  it("keeps an address it asked for when it is cut short, so that the next run only waits", async () => {
    world.emulator.settings.provisionMs = 30_000;
    const inputs = { ...tunnelInputs, nlbPrivateIp: "10.9.0.200", locationId: "loc-7" };
    const made = await world.tunnels.create(inputs, chosen, world.within(3));
    expect(made.outputs).toMatchObject({ status: "NEW", nlbPrivateIp: "10.9.0.200", locationId: "loc-7" });
    expect(await world.tunnelDiff(made.outputs, inputs)).toMatchObject({ changes: true, replaces: [] });
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
