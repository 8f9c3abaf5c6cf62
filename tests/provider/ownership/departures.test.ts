import { UNKNOWN } from "../../../provider/fields/field";
import type { ShareOutputs } from "../../../provider/resources/share-inputs";
import { chosen, openWorld, shareInputs, tunnelInputs, type World } from "../world";

// The engine asks of every share that the state says depends on a tunnel, whichever of its ids that is.
describe("a share on the tunnel that a failed move has left", () => {
  it.each(["fd-1", "fd-2"])("does not go with what the move has made on %s and is replaced", async (frontdoorId) => {
    const world = await openWorld({ tokens: { "emulator-token": ["fd-1", "fd-2"] } });
    const old = { ...tunnelInputs, locationId: "loc-1" };
    const { id } = await world.tunnels.create(old, chosen, world.within(1800));
    const web = await world.shares.create(shareInputs(id), chosen, world.within(900));
    const moved = { ...old, locationId: "loc-2", frontdoorId };
    world.emulator.faults.failNext({ kind: "tunnel", op: "create" });
    const failed = await world.tunnels.create(moved, chosen, world.within(1800));
    expect(failed.outputs.status).toBe("ERROR");
    world.nextRun();
    expect(await world.tunnelDiff(failed.outputs, moved, failed.id)).toMatchObject({ replaces: ["status"] });
    const answer = world.shareDiff(web.outputs, { ...shareInputs(id), ipsecTunnelId: UNKNOWN }, web.id);
    expect(await answer).toMatchObject({ changes: false, replaces: [] });
    await world.close();
  });
});

// The engine deletes old dependents of a tunnel that is replaced delete-first, one after the other, and meets them again as creates.
describe("a share that is deleted for its tunnel's sake while it is made anew elsewhere", () => {
  let world: World;
  let [old, other] = [
    { id: "", outputs: {} as ShareOutputs },
    { id: "", outputs: {} as ShareOutputs },
  ];
  const elsewhere = { ...shareInputs("tnl-x") };
  const secondsOf = async (work: Promise<unknown>) => {
    const startedMs = world.clock.now();
    await work;
    return (world.clock.now() - startedMs) / 1000;
  };
  const create = () => world.shares.create(elsewhere, chosen, world.within(900));
  const remove = (share: typeof old) => world.shares.delete(share.id, share.outputs, world.within(900));

  beforeEach(async () => {
    world = await openWorld({ teardownMs: { tunnel: 100, share: 60_000 } });
    const { id } = await world.tunnels.create({ ...tunnelInputs, locationId: "loc-1" }, chosen, world.within(1800));
    world.emulator.seedTunnel({ id: "tnl-x", locationId: "loc-2" });
    old = await world.shares.create(shareInputs(id), chosen, world.within(900));
    other = await world.shares.create(
      { ...shareInputs(id), name: "other", ingressPort: 444 },
      chosen,
      world.within(900),
    );
    world.nextRun();
    for (const share of [old, other])
      await world.shareDiff(share.outputs, { ...shareInputs(id), ...share.outputs, ipsecTunnelId: UNKNOWN }, share.id);
    world.emulator.clock.advance(60_000);
    world.calls();
  });
  afterEach(() => world.close());

  it("is made once its delete and those before it have ended", async () => {
    const made = create();
    await world.clock.sleep(1_000);
    const writes = [`DELETE /ipsec-shares/${other.id}`, `DELETE /ipsec-shares/${old.id}`];
    await remove(other);
    await remove(old);
    expect((await made).id).not.toBe(old.id);
    expect(world.writes()).toEqual([...writes, expect.stringMatching(/^POST /)]);
  });

  it("is not made where its delete does not begin, and waits no longer than that takes to tell", async () => {
    const waited = await secondsOf(expect(create()).rejects.toThrow(/was not: it has not begun; nothing was created/));
    expect(waited).toBeLessThan(40);
    expect(world.writes()).toEqual([]);
  });

  it("is not made where the one before it ends and its own does not begin", async () => {
    const made = secondsOf(expect(create()).rejects.toThrow("it has not begun"));
    await remove(other);
    expect(await made).toBeLessThan(60 + 70);
    expect(world.writes()).toEqual([`DELETE /ipsec-shares/${other.id}`]);
  });

  it("is not made where a delete before it fails", async () => {
    world.emulator.faults.answerNext({ method: "DELETE", status: 403 });
    const made = secondsOf(expect(create()).rejects.toThrow(/was not: .*403/));
    await expect(remove(other)).rejects.toThrow("403");
    expect(await made).toBeLessThan(5);
  });

  it("does not leave where the service has it elsewhere by now: the state may hold it under another URN too", async () => {
    world.nextRun();
    await world.shares.update(old.id, old.outputs, { ...old.outputs, ipsecTunnelId: "tnl-x" }, world.within(900));
    world.nextRun();
    const asked = { ...old.outputs, ipsecTunnelId: UNKNOWN } as const;
    expect(await world.shareDiff(old.outputs, asked, old.id)).toMatchObject({ changes: false, replaces: [] });
  });

  it("does not leave where a list has it elsewhere that reads by id lag behind", async () => {
    world.nextRun();
    world.emulator.settings.readLagMs = 60_000;
    await world.shares.update(old.id, old.outputs, { ...old.outputs, ipsecTunnelId: "tnl-x" }, world.within(900));
    world.nextRun();
    const asked = { ...old.outputs, ipsecTunnelId: UNKNOWN } as const;
    expect(await world.shareDiff(old.outputs, asked, old.id)).toMatchObject({ changes: false, replaces: [] });
  });

  it("does not leave where its tunnel is one that this run has found right: it is another one that goes", async () => {
    world.nextRun();
    world.service.frontDoor("fd-1").tunnels.claims.hold(old.outputs.ipsecTunnelId);
    const asked = { ...old.outputs, ipsecTunnelId: UNKNOWN } as const;
    expect(await world.shareDiff(old.outputs, asked, old.id)).toMatchObject({ changes: false, replaces: [] });
    expect(world.calls()).toEqual([]);
  });

  it.each(["shr-1", "shr-of-years-ago"])("is not adopted once more, with adopt: %s", async (adopt) => {
    // The engine shows no old inputs of what it has begun to delete.
    const origin = "organization::urn:pulumi:dev::p::t::web";
    const { inputs } = world.shares.check({ news: { ...elsewhere, adopt }, olds: {}, origin });
    const made = world.shares.create(inputs as typeof elsewhere, chosen, world.within(900));
    await remove(other);
    await remove(old);
    expect([old.id, other.id]).not.toContain((await made).id);
  });
});
