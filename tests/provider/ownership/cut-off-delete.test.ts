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

  beforeEach(async () => {
    world = await openWorld({ provisionMs: 0, teardownMs: 60_000 });
    world.emulator.seedTunnel({ ...tunnelInputs, id: "tnl-1", name: "other", locationId: "loc-9" });
  });
  afterEach(() => world.close());

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

  it("is nothing once the service has had its time to do it and has not", async () => {
    const { id, outputs } = await made();
    await cutOff((until) => world.shares.delete(id, outputs, until));
    world.emulator.setStatus(id, "DEPLOYED");
    const startedMs = world.clock.now();
    expect(await world.shareDiff(outputs, web, id)).toMatchObject({ changes: false });
    expect(world.clock.now() - startedMs).toBeGreaterThan(40_000);
    world.calls();
    expect(await world.shareDiff(outputs, web, id)).toMatchObject({ changes: false });
    expect(world.calls()).toEqual([]);
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

  it("is forgotten after thirty days", async () => {
    const { id, outputs } = await made();
    await cutOff((until) => world.shares.delete(id, outputs, until));
    await world.clock.sleep(30 * 24 * 3_600_000);
    world.nextRun("killed");
    expect(await world.shareDiff(outputs, web, id)).toMatchObject({ changes: false });
    expect(world.calls()).toEqual([]);
  });
});
