import { setTimeout as sleep } from "node:timers/promises";
import { Stack } from "../../harness/stack";

// The tunnel can't go while the other stack's share is on it, so its own shares must not go for it.
describe("a tunnel with a share of another stack changes its peerCidr", () => {
  const hq = { name: "hq", peerPublicIp: "203.0.113.7", peerCidr: "10.20.0.0/16" };
  const web = { name: "web", ipsecTunnelId: { tunnel: "hq" }, envZId: "env-1", target: "web.internal:443" };
  const program = (peerCidr: string) => ({
    tunnels: { hq: { ...hq, peerCidr } },
    shares: { web: { ...web, ingressPort: 443 } },
  });

  let network: Stack;
  let services: Stack;
  let ids: { hq: string; web: string; guest: string };
  beforeAll(async () => {
    network = await Stack.open();
    services = await Stack.open();
    services.env["FRONTDOOR_BASE_URL"] = network.emulator.baseUrl;
    expect(await network.up(program(hq.peerCidr))).toMatchObject({ code: 0 });
    const guest = {
      name: "guest",
      ipsecTunnelId: network.id("hq"),
      envZId: "env-2",
      target: "guest.internal:443",
      ingressPort: 8443,
    };
    expect(await services.up({ shares: { guest } })).toMatchObject({ code: 0 });
    ids = { hq: network.id("hq"), web: network.id("web"), guest: services.id("guest") };
    network.writes();
  });
  afterAll(async () => {
    await services.close();
    await network.close();
  });

  it("is refused, naming the other stack's share, with its own shares still there", async () => {
    const run = await network.up(program("10.21.0.0/16"));
    expect(run.code).not.toBe(0);
    expect(run.errors.join("\n")).toContain(`"guest" (${ids.guest}`);
    expect(network.alive()).toEqual([ids.web, ids.guest, ids.hq].sort());
    expect(network.writes().filter((write) => !write.includes(`/ipsec-tunnels/${ids.hq}`))).toEqual([]);
  });

  it("is as before when the edit is taken back", async () => {
    network.writes();
    expect(await network.steadyUp(program(hq.peerCidr))).toMatchObject({ code: 0, errors: [] });
    expect(network.entered()).toEqual([`hq ${ids.hq}`, `web ${network.id("web")}`]);
    expect(network.alive()).toEqual([network.id("web"), ids.guest, ids.hq].sort());
    const isOurs = (write: string) => write.includes(ids.hq) || write.includes(ids.guest);
    expect(network.writes().filter((write) => isOurs(write) && !write.startsWith("POST"))).toEqual([]);
  });

  it("is done once the other stack has left", async () => {
    expect(await services.destroy()).toMatchObject({ code: 0 });
    expect(await network.up(program("10.21.0.0/16"))).toMatchObject({ code: 0, errors: [] });
    expect(network.entered()).toEqual([`hq ${network.id("hq")}`, `web ${network.id("web")}`]);
    expect(network.alive()).toEqual([network.id("web"), network.id("hq")].sort());
  });

  it("loses its own shares alone where the other stack comes while they are being deleted, and gets them back", async () => {
    const { emulator } = network;
    Object.assign(emulator.settings, { teardownMs: 2000 });
    const { hq: tunnel, web: share } = { hq: network.id("hq"), web: network.id("web") };
    network.writes();
    const arrival = (async () => {
      while (!emulator.requests.some(({ method }) => method === "DELETE")) await sleep(50);
      emulator.seedShare({ id: "shr-late", name: "late", ipsecTunnelId: tunnel, ingressPort: 9443 });
    })();
    const run = await network.up(program("10.22.0.0/16"));
    await arrival;
    expect(run.code).not.toBe(0);
    expect(run.errors.join("\n")).toContain('"late" (shr-late');
    expect(network.alive()).toEqual(["shr-late", tunnel].sort());
    expect(await network.up(program("10.21.0.0/16"))).toMatchObject({ code: 0, errors: [] });
    expect(network.id("web")).not.toBe(share);
    expect(network.entered()).toEqual([`hq ${tunnel}`, `web ${network.id("web")}`]);
    expect(network.alive()).toEqual([network.id("web"), "shr-late", tunnel].sort());
  });

  it("loses its own shares alone to a destroy that is refused, and gets them back", async () => {
    const tunnel = network.id("hq");
    const run = await network.destroy();
    expect(run.code).not.toBe(0);
    expect(run.errors.join("\n")).toContain('"late" (shr-late');
    expect(network.alive()).toEqual(["shr-late", tunnel].sort());
    expect(await network.up(program("10.21.0.0/16"))).toMatchObject({ code: 0, errors: [] });
    expect(network.entered()).toEqual([`hq ${tunnel}`, `web ${network.id("web")}`]);
    expect(network.alive()).toEqual([network.id("web"), "shr-late", tunnel].sort());
  });
});
