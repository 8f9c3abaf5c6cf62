import { chosen, openWorld, shareInputs, tunnelInputs, type World } from "../world";

const hq = { ...tunnelInputs, locationId: "loc-1" };
const web = shareInputs("tnl-1");

describe("a delete that was cut off, and is taken back", () => {
  let world: World;
  /** Ctrl-C, some time after the engine has asked for it. */
  const cutOff = async (
    remove: (until: { deadlineMs: number; signal: AbortSignal }) => Promise<void>,
    afterMs = 500,
  ) => {
    const stopping = new AbortController();
    const removing = remove({ ...world.within(900), signal: stopping.signal });
    await world.clock.sleep(afterMs);
    stopping.abort();
    await expect(removing).rejects.toThrow("the wait was stopped");
    world.nextRun();
    world.calls();
  };
  const made = async () => {
    const { id, outputs } = await world.shares.create(web, chosen, world.within(900));
    world.nextRun();
    world.calls();
    return { id, outputs };
  };
  const known = (id: string) => world.service.frontDoor("fd-1").shares.deletes.sentAtMs(id);

  beforeEach(async () => {
    world = await openWorld({ provisionMs: 0, teardownMs: 60_000 });
    world.emulator.seedTunnel({ ...tunnelInputs, id: "tnl-1", name: "other", locationId: "loc-9" });
  });
  afterEach(() => world.close());

  it("makes the share anew, the old one gone first", async () => {
    const { id, outputs } = await made();
    await cutOff((until) => world.shares.delete(id, outputs, until));
    expect(await world.shareDiff(outputs, web, id)).toMatchObject({ replaces: ["status"], deleteBeforeReplace: true });
    expect(world.calls()).toEqual([`GET /ipsec-shares/${id}`]);
    await world.shares.delete(id, outputs, world.within(900));
    expect((await world.shares.create(web, chosen, world.within(900))).id).not.toBe(id);
    world.nextRun();
    expect(known(id)).toBeUndefined();
  });

  it("makes the tunnel anew, the old one gone first", async () => {
    const { id, outputs } = await world.tunnels.create(hq, chosen, world.within(900));
    world.nextRun();
    await cutOff((until) => world.tunnels.delete(id, outputs, until));
    expect(await world.tunnelDiff(outputs, hq, id)).toMatchObject({ replaces: ["status"], deleteBeforeReplace: true });
    await world.tunnels.delete(id, outputs, world.within(1800));
    expect((await world.tunnels.create(hq, chosen, world.within(1800))).id).not.toBe(id);
  });

  it("is seen after the teardown has ended, too, by more than one run, and where the process was killed", async () => {
    const { id, outputs } = await made();
    void world.shares.delete(id, outputs, world.within(900)).catch(() => undefined);
    await world.clock.sleep(500);
    world.nextRun("killed");
    world.emulator.clock.advance(600_000);
    for (const run of ["preview", "up"]) {
      expect([run, await world.shareDiff(outputs, web, id)]).toMatchObject([run, { replaces: ["status"] }]);
      world.nextRun();
    }
  });

  it("is seen after a refresh while it goes; after one that has dropped it, it is created", async () => {
    const { id, outputs } = await made();
    await cutOff((until) => world.shares.delete(id, outputs, until));
    const seen = await world.shares.read(id, outputs, world.within(900));
    expect(seen).toMatchObject({ status: "DELETING" });
    world.nextRun();
    expect(await world.shareDiff(seen ?? outputs, web, id)).toMatchObject({ replaces: ["status"] });
    world.emulator.clock.advance(600_000);
    expect(await world.shares.read(id, outputs, world.within(900))).toBeUndefined();
    world.nextRun();
    expect((await world.shares.create(web, chosen, world.within(900))).id).not.toBe(id);
  });

  it("is seen where it had ended, but the engine was killed before it could save that", async () => {
    const { id, outputs } = await made();
    await world.shares.delete(id, outputs, world.within(900));
    world.nextRun("killed");
    expect(await world.shareDiff(outputs, web, id)).toMatchObject({ replaces: ["status"] });
  });

  it("is nothing once the service has had its time to do it and has not", async () => {
    const { id, outputs } = await made();
    await cutOff((until) => world.shares.delete(id, outputs, until));
    world.emulator.setStatus(id, "DEPLOYED");
    const startedMs = world.clock.now();
    expect(await world.shareDiff(outputs, web, id)).toMatchObject({ changes: false });
    expect(world.clock.now() - startedMs).toBeGreaterThan(40_000);
    expect(known(id)).toBeUndefined();
    world.calls();
    expect(await world.shareDiff(outputs, web, id)).toMatchObject({ changes: false });
    expect(world.calls()).toEqual([]);
  });

  it("is seen where the service shows only later that it goes", async () => {
    const { id, outputs } = await made();
    await cutOff((until) => world.shares.delete(id, outputs, until));
    world.emulator.setStatus(id, "DEPLOYED");
    const diff = world.shareDiff(outputs, web, id);
    await world.clock.sleep(8_000);
    world.emulator.setStatus(id, "DELETING");
    expect(await diff).toMatchObject({ replaces: ["status"] });
  });

  it("has the share sent once more, and the tunnel replaced, where it has ended in ERROR", async () => {
    const share = await made();
    const tunnel = await world.tunnels.create(hq, chosen, world.within(900));
    await cutOff((until) => world.shares.delete(share.id, share.outputs, until));
    await cutOff((until) => world.tunnels.delete(tunnel.id, tunnel.outputs, until));
    for (const { id } of [share, tunnel]) world.emulator.setStatus(id, "ERROR");
    await world.clock.sleep(60_000);
    expect(await world.shareDiff(share.outputs, web, share.id)).toMatchObject({ changes: true, replaces: [] });
    expect(await world.tunnelDiff(tunnel.outputs, hq, tunnel.id)).toMatchObject({ replaces: ["status"] });
  });

  it("leaves no record where the service refused it, or where it has ended and the run, too", async () => {
    const tunnel = world.emulator.tunnels()[0]?.id ?? "";
    const { id, outputs } = await made();
    const olds = { ...tunnelInputs, name: "other", status: "DEPLOYED", locationId: "loc-9" };
    await expect(world.tunnels.delete(tunnel, olds, world.within(900))).rejects.toThrow("still use it");
    await world.shares.delete(id, outputs, world.within(900));
    world.nextRun();
    expect([known(id), world.service.frontDoor("fd-1").tunnels.deletes.sentAtMs(tunnel)]).toEqual([
      undefined,
      undefined,
    ]);
  });

  it("leaves a record for thirty days at most", async () => {
    const { id, outputs } = await made();
    await cutOff((until) => world.shares.delete(id, outputs, until));
    expect(known(id)).toBeDefined();
    await world.clock.sleep(30 * 24 * 3_600_000);
    world.nextRun("killed");
    expect(known(id)).toBeUndefined();
  });
});
