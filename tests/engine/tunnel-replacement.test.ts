import { Stack } from "../harness/stack";

describe("tunnel replacement", () => {
  const original = { name: "hq", peerPublicIp: "203.0.113.7", peerCidr: "10.20.0.0/16" };
  const web = { name: "web", ipsecTunnelId: { tunnel: "hq" }, envZId: "env-1", target: "web.internal:443" };
  const provisionMs = 300;

  let stack: Stack;
  const resources = (tunnel: object) => ({
    tunnels: { hq: { ...tunnel } },
    shares: { web: { ...web, ingressPort: 443 } },
  });
  const up = (tunnel: object) => stack.up(resources(tunnel));
  const steadyUp = (tunnel: object) => stack.steadyUp(resources(tunnel));
  const ids = () => ({ tunnel: stack.id("hq"), share: stack.id("web") });
  const newTunnel = (fields: object) => `POST /ipsec-tunnels ${JSON.stringify(fields)}`;
  const newShare = (tunnelId: string) =>
    `POST /ipsec-shares {"name":"web","ipsecTunnelId":"${tunnelId}","envZId":"env-1","target":"web.internal:443","ingressPort":443}`;

  /** A share before its tunnel is ready, a tunnel beside its predecessor: the service refuses what is not waited for. */
  const everyWriteWasAccepted = () => {
    const writes = stack.emulator.requests.filter(({ method }) => method !== "GET");
    expect(writes.map(({ status }) => status)).toEqual(writes.map(() => 202));
  };

  beforeAll(async () => {
    stack = await Stack.open({ provisionMs, shareAcceptedOnTunnelIn: ["DEPLOYED"] });
    expect(await up(original)).toMatchObject({ code: 0, steps: ["create hq", "create web"] });
    stack.writes();
  });
  afterAll(() => stack.close());

  it("does not take for a change what the service fills in for locationId and nlbPrivateIp", async () => {
    expect(stack.kept()["hq"]?.outputs).toMatchObject({ locationId: "loc-1", nlbPrivateIp: "10.90.0.10" });
    expect(await up(original)).toMatchObject({ code: 0, steps: [] });
    expect(await up({ ...original, locationId: "loc-1", nlbPrivateIp: "10.90.0.10" })).toMatchObject({ steps: [] });
    expect(stack.writes()).toEqual([]);
  });

  it("deletes shares and tunnel before it makes them anew when peerCidr changes, each waited for", async () => {
    const old = ids();
    expect(await steadyUp({ ...original, peerCidr: "10.21.0.0/16" })).toMatchObject({ code: 0 });
    everyWriteWasAccepted();
    expect(stack.writes()).toEqual([
      `DELETE /ipsec-shares/${old.share}`,
      `DELETE /ipsec-tunnels/${old.tunnel}`,
      newTunnel({ ...original, peerCidr: "10.21.0.0/16" }),
      newShare(ids().tunnel),
    ]);
    expect(stack.emulator.tunnels().filter(({ status }) => status !== "DELETED")).toHaveLength(1);
  });

  it("makes the new tunnel first when locationId changes, and moves the share over by PATCH", async () => {
    const old = ids();
    expect(await steadyUp({ ...original, peerCidr: "10.21.0.0/16", locationId: "loc-2" })).toMatchObject({ code: 0 });
    everyWriteWasAccepted();
    const [patch, removal] = stack.emulator.requests.filter(({ method }) => ["PATCH", "DELETE"].includes(method));
    expect((removal?.at ?? NaN) - (patch?.at ?? NaN)).toBeGreaterThanOrEqual(provisionMs);
    expect(stack.writes()).toEqual([
      newTunnel({ ...original, peerCidr: "10.21.0.0/16", locationId: "loc-2" }),
      `PATCH /ipsec-shares/${old.share} {"ipsecTunnelId":"${ids().tunnel}"}`,
      `DELETE /ipsec-tunnels/${old.tunnel}`,
    ]);
    expect(ids().share).toBe(old.share);
  });

  it("replaces the tunnel when an explicit nlbPrivateIp changes", async () => {
    const old = ids();
    const moved = { ...original, peerCidr: "10.21.0.0/16", locationId: "loc-2", nlbPrivateIp: "10.90.0.77" };
    expect(await up(moved)).toMatchObject({ code: 0 });
    everyWriteWasAccepted();
    expect(stack.writes()).toEqual([
      `DELETE /ipsec-shares/${old.share}`,
      `DELETE /ipsec-tunnels/${old.tunnel}`,
      newTunnel(moved),
      newShare(ids().tunnel),
    ]);
  });

  it("goes with destroy, shares first, and leaves nothing", async () => {
    const old = ids();
    expect(await stack.destroy()).toMatchObject({ code: 0, steps: ["delete web", "delete hq"] });
    everyWriteWasAccepted();
    expect(stack.writes()).toEqual([`DELETE /ipsec-shares/${old.share}`, `DELETE /ipsec-tunnels/${old.tunnel}`]);
    expect(stack.kept()).toEqual({});
    expect(
      [...stack.emulator.tunnels(), ...stack.emulator.shares()].filter(({ status }) => status !== "DELETED"),
    ).toEqual([]);
  });
});
