import { ask, own, seen, share, tunnel } from "./own";

const count = async (...args: Parameters<typeof ask>) =>
  ((await ask(...args)).body as { totalElements: number }).totalElements;

describe("the clock", () => {
  it("is real time when it is not frozen", async () => {
    const emulator = await own({ frozenAtMs: null });
    for (const ahead of [0, 3_600_000]) {
      emulator.clock.advance(ahead);
      const before = Date.now();
      const told = emulator.clock.now() - ahead;
      expect([told >= before, told <= Date.now()]).toEqual([true, true]);
    }
  });

  it("takes durations per kind", async () => {
    const emulator = await own({ provisionMs: { tunnel: 5000, share: 0 } });
    await ask(emulator, "POST /ipsec-tunnels", tunnel);
    expect((await ask(emulator, "POST /ipsec-shares", share("tnl-1"))).body).toMatchObject({ status: "NEW" });
    for (const [path, status] of Object.entries({ "shares/shr-1": "DEPLOYED", "tunnels/tnl-1": "NEW" }))
      expect(await seen(emulator, `/ipsec-${path}`)).toBe(status);
  });

  it("draws durations within the jitter", async () => {
    const emulator = await own({ jitter: 0.5 });
    emulator.seedTunnel();
    for (let ingressPort = 1; ingressPort <= 20; ingressPort += 1)
      await ask(emulator, "POST /ipsec-shares", { ...share("tnl-1"), ingressPort });
    const deployed = [499, 501, 501].map((ms) => {
      emulator.clock.advance(ms);
      return emulator.shares().filter(({ status }) => status === "DEPLOYED").length;
    });
    expect([deployed[0], deployed[2]]).toEqual([0, 20]);
    expect(deployed[1]).toBeGreaterThan(0);
    expect(deployed[1]).toBeLessThan(20);
  });
});

describe("lag", () => {
  it("hides a new resource from GETs and lists for a time each", async () => {
    const emulator = await own({ readLagMs: 100, listLagMs: 300 });
    await ask(emulator, "POST /ipsec-tunnels", tunnel);
    const look = async () => [
      await seen(emulator, "/ipsec-tunnels/tnl-1"),
      await count(emulator, "GET /ipsec-tunnels"),
      emulator.tunnels().length,
    ];
    expect(await look()).toEqual([404, 0, 1]);
    // Writes are judged by the truth.
    expect((await ask(emulator, "POST /ipsec-tunnels", tunnel)).status).toBe(409);
    emulator.clock.advance(100);
    expect(await look()).toEqual(["NEW", 0, 1]);
    emulator.clock.advance(200);
    expect(await look()).toEqual(["NEW", 1, 1]);
  });

  it("shows the old DEPLOYED and the old values after a PATCH", async () => {
    const emulator = await own({ readLagMs: 100 });
    emulator.seedTunnel();
    emulator.seedShare({ name: "old" });
    await ask(emulator, "PATCH /ipsec-shares/shr-1", { name: "new" });
    const look = async () => (await ask(emulator, "GET /ipsec-shares/shr-1")).body;
    expect(await look()).toMatchObject({ name: "old", status: "DEPLOYED" });
    emulator.clock.advance(100);
    expect(await look()).toMatchObject({ name: "new", status: "NEW" });
  });

  it("goes on showing what has been deleted", async () => {
    const emulator = await own({ readLagMs: 5000, deletedShownAs: "404" });
    emulator.seedTunnel();
    await ask(emulator, "DELETE /ipsec-tunnels/tnl-1");
    expect(await seen(emulator, "/ipsec-tunnels/tnl-1")).toBe("DEPLOYED");
    emulator.clock.advance(5999);
    expect(await seen(emulator, "/ipsec-tunnels/tnl-1")).toBe("DELETING");
    emulator.clock.advance(1);
    expect(await seen(emulator, "/ipsec-tunnels/tnl-1")).toBe(404);
  });

  it("does not delay changes made out of band", async () => {
    const emulator = await own({ readLagMs: 60_000, listLagMs: 60_000 });
    emulator.seedTunnel({ status: "NEW" });
    expect(await seen(emulator, "/ipsec-tunnels/tnl-1")).toBe("NEW");
    emulator.setStatus("tnl-1", "ERROR");
    expect(await seen(emulator, "/ipsec-tunnels/tnl-1")).toBe("ERROR");
    emulator.seedShare();
    emulator.patchShare("shr-1", { target: "10.9.9.9:1" });
    expect((await ask(emulator, "GET /ipsec-shares/shr-1")).body).toMatchObject({ target: "10.9.9.9:1" });
    emulator.removeShare("shr-1");
    expect(await count(emulator, "GET /ipsec-shares")).toBe(0);
  });
});

describe("the end of a deleted resource", () => {
  it("is DELETED for the retention, then 404, and leaves its place at once", async () => {
    const emulator = await own({ deletedRetentionMs: 10_000 });
    emulator.seedTunnel();
    await ask(emulator, "DELETE /ipsec-tunnels/tnl-1");
    emulator.clock.advance(1000);
    expect(await seen(emulator, "/ipsec-tunnels/tnl-1")).toBe("DELETED");
    expect((await ask(emulator, "POST /ipsec-tunnels", tunnel)).status).toBe(202);
    emulator.clock.advance(9999);
    expect(await seen(emulator, "/ipsec-tunnels/tnl-1")).toBe("DELETED");
    emulator.clock.advance(1);
    expect(await seen(emulator, "/ipsec-tunnels/tnl-1")).toBe(404);
    expect(emulator.tunnels().map(({ id }) => id)).toEqual(["tnl-2"]);
  });

  it("keeps DELETED out of lists when told", async () => {
    const emulator = await own({ deletedListed: false });
    emulator.seedTunnel({ status: "DELETED" });
    expect(await count(emulator, "GET /ipsec-tunnels")).toBe(0);
    expect(await seen(emulator, "/ipsec-tunnels/tnl-1")).toBe("DELETED");
  });
});
