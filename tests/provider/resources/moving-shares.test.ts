import { UNKNOWN } from "../../../provider/fields/field";
import { chosen, openWorld, shareInputs, tunnelInputs, type World } from "../world";

let world: World;
const old = shareInputs("tnl-2");
const moved = shareInputs("tnl-1");
const origin = "organization::urn:pulumi:test::office::frontdoor:index:IpsecShare::web";
const kinds = () => world.writes().map((line) => line.split(" {")[0]);
/** A tunnel that is replaced, with a share on it, and one for the share to move to. */
const start = async () => {
  world = await openWorld({ provisionMs: 1_000, teardownMs: 5_000, duplicateIngressPort: "allowed" });
  world.emulator.seedTunnel({ ...tunnelInputs, locationId: "loc-1" });
  const tunnel = await world.tunnels.create({ ...tunnelInputs, locationId: "loc-2" }, chosen, world.within(900));
  const { id, outputs } = await world.shares.create(old, chosen, world.within(900));
  world.emulator.clock.advance(60_000);
  world.nextRun();
  world.calls();
  return { id, outputs, tunnel };
};

describe("a share that is to be deleted since its tunnel is replaced", () => {
  afterEach(() => world.close());
  const condemned = async () => {
    const share = await start();
    const diff = await world.shares.diff(share.id, share.outputs, { ...old, ipsecTunnelId: UNKNOWN }, world.within(60));
    expect(diff).toMatchObject({ changes: true, replaces: ["ipsecTunnelId"], deleteBeforeReplace: true });
    const list = `GET /ipsec-shares?id=${share.id}&page=0&size=100`;
    expect(world.calls()).toEqual([`GET /ipsec-shares/${share.id}`, list]);
    return share;
  };

  it("is gone before one of its name is created", async () => {
    const { id, outputs } = await condemned();
    const created = world.shares.create(moved, chosen, world.within(900));
    await world.clock.sleep(20_000);
    expect(world.calls()).toEqual([]);
    await world.shares.delete(id, outputs, world.within(900));
    expect(await created).toMatchObject({ outputs: { status: "DEPLOYED", ipsecTunnelId: "tnl-1" } });
    expect(kinds()).toEqual([`DELETE /ipsec-shares/${id}`, "POST /ipsec-shares"]);
    expect(world.emulator.shares().map(({ status }) => status)).toEqual(["DELETED", "DEPLOYED"]);
  });

  it("does not hold up what has another name", async () => {
    await condemned();
    const made = await world.shares.create({ ...moved, name: "other" }, chosen, world.within(900));
    expect(made.outputs.status).toBe("DEPLOYED");
  });

  it("fails the create of its name where it can't be deleted", async () => {
    const { id, outputs } = await condemned();
    world.emulator.faults.answerNext({ method: "DELETE", status: 403, body: { error: "forbidden", message: "no" } });
    const created = world.shares.create(moved, chosen, world.within(900));
    await expect(
      Promise.all([
        expect(created).rejects.toThrow(`"web": ${id} of this name has to be deleted first, and was not:`),
        world.shares.delete(id, outputs, world.within(900)),
      ]),
    ).rejects.toThrow("403");
    expect(kinds()).toEqual([`DELETE /ipsec-shares/${id}`]);
  });

  it("fails the creates of all that were to be deleted with it: the engine begins none of those deletes", async () => {
    const { id, outputs } = await condemned();
    await world.shares.diff("shr-2", { ...outputs, name: "two" }, { ...old, ipsecTunnelId: UNKNOWN }, world.within(60));
    world.emulator.faults.answerNext({ method: "DELETE", status: 403, body: { error: "forbidden", message: "no" } });
    const created = world.shares.create({ ...moved, name: "two" }, chosen, world.within(900));
    await Promise.allSettled([world.shares.delete(id, outputs, world.within(900))]);
    await expect(created).rejects.toThrow(/^"two": shr-2 of this name has to be deleted first, and was not: .*403/);
  });

  it("fails the create of its name at the deadline", async () => {
    const { id } = await condemned();
    const created = world.shares.create(moved, chosen, world.within(5));
    await expect(created).rejects.toThrow(
      `"web": ${id} of this name has to be deleted first, and was not: it has not ended in time; nothing was created, run "pulumi up" again`,
    );
    expect(world.calls()).toEqual([]);
  });

  it("stays where its tunnel can't be deleted for another's share, which is named", async () => {
    const { id, outputs } = await condemned();
    const { id: foreign } = world.emulator.seedShare({ ...old, name: "foreign" });
    await expect(world.shares.delete(id, outputs, world.within(900))).rejects.toThrow(
      `IPsec tunnel tnl-2: IPsec shares still use it: "foreign" (${foreign}, DEPLOYED)`,
    );
    expect(world.calls()).toEqual(["GET /ipsec-shares?ipsecTunnelId=tnl-2&page=0&size=100"]);
  });

  it("stays if 100 shares of others use its tunnel: the error names ten, how many more, and what to do", async () => {
    const { id, outputs } = await condemned();
    for (let port = 1; port <= 100; port++)
      world.emulator.seedShare({ ...old, name: `${"n".repeat(60)}${port}`, ingressPort: 1000 + port });
    const deleted = world.shares.delete(id, outputs, world.within(900));
    await expect(deleted).rejects.toThrow(
      /^IPsec tunnel tnl-2: IPsec shares still use it: ("n+\d+" \(shr-\d+, DEPLOYED\), ){10}and 90 more\. The tunnel stays as it is\. Delete these shares first\. \[tunnel-in-use\]$/,
    );
  });
});

describe("a share that moves while its tunnel is replaced", () => {
  afterEach(() => world.close());
  const moving = async () => {
    const share = await start();
    world.shares.check({ news: { ...moved }, olds: { ...old }, origin });
    const diff = await world.shares.diff(share.id, share.outputs, moved, world.within(60));
    expect(diff).toMatchObject({ changes: true, replaces: [] });
    const update = () => world.shares.update(share.id, share.outputs, moved, world.within(900));
    const deleteTunnel = () => world.tunnels.delete(share.tunnel.id, share.tunnel.outputs, world.within(1800));
    return { ...share, update, deleteTunnel };
  };

  it("is not replaced, whatever the engine asks of it later", async () => {
    const { id, outputs } = await moving();
    const diff = await world.shares.diff(id, outputs, { ...old, ipsecTunnelId: UNKNOWN }, world.within(60));
    expect(diff).toMatchObject({ changes: false, replaces: [] });
  });

  it("is waited for by the delete of the tunnel", async () => {
    const { id, update, deleteTunnel } = await moving();
    const deleted = deleteTunnel();
    await world.clock.sleep(20_000);
    expect((await update()).outputs).toMatchObject({ status: "DEPLOYED", ipsecTunnelId: "tnl-1" });
    await deleted;
    expect(kinds()).toEqual([
      "DELETE /ipsec-tunnels/tnl-2",
      `PATCH /ipsec-shares/${id}`,
      "DELETE /ipsec-tunnels/tnl-2",
    ]);
    expect(world.emulator.tunnels().map(({ status }) => status)).toEqual(["DEPLOYED", "DELETED"]);
  });

  it("is named by the delete of the tunnel where the move fails", async () => {
    const { id, update, deleteTunnel } = await moving();
    const deleted = deleteTunnel();
    world.emulator.faults.answerNext({ method: "PATCH", status: 403, body: { error: "forbidden", message: "no" } });
    const failed = expect(deleted).rejects.toThrow(`IPsec shares still use it: "web" (${id}, DEPLOYED)`);
    await expect(update()).rejects.toThrow("403");
    await failed;
    expect(world.emulator.tunnels()[1]?.status).toBe("DEPLOYED");
  });

  it("is named by the delete of the tunnel where the move does not begin within half a minute", async () => {
    const { id, deleteTunnel } = await moving();
    const startedMs = world.clock.now();
    await expect(deleteTunnel()).rejects.toThrow(`IPsec shares still use it: "web" (${id}, DEPLOYED)`);
    expect(Math.round(world.clock.now() - startedMs)).toBeGreaterThanOrEqual(30_000);
    expect(world.clock.now() - startedMs).toBeLessThan(35_000);
  });

  it("does not hide another's share, which fails the delete of the tunnel at once", async () => {
    const { deleteTunnel } = await moving();
    const { id } = world.emulator.seedShare({ ...old, name: "foreign" });
    const startedMs = world.clock.now();
    await expect(deleteTunnel()).rejects.toThrow(`still use it: "foreign" (${id}, DEPLOYED). The tunnel stays`);
    expect(world.clock.now() - startedMs).toBeLessThan(2_000);
  });
});

describe("a share that the program puts on a tunnel that is still to be made", () => {
  afterEach(() => world.close());
  const planned = async () => {
    const { id, outputs, tunnel } = await start();
    const news = { ...old, ipsecTunnelId: UNKNOWN } as const;
    world.shares.check({ news, olds: { ...outputs }, origin: undefined });
    return { tunnel, diff: () => world.shareDiff(outputs, news, id) };
  };

  it("is updated where its old tunnel stays", async () => {
    const { tunnel, diff } = await planned();
    world.service.frontDoor("fd-1").tunnels.claims.hold(tunnel.id);
    expect(await diff()).toMatchObject({ changes: true, replaces: [] });
  });

  it("is said to be replaced where a preview can't tell", async () => {
    const { diff } = await planned();
    expect(await diff()).toMatchObject({ changes: true, replaces: ["ipsecTunnelId"] });
  });
});
