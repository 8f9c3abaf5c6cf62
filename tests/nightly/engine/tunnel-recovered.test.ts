import { Stack } from "../../harness/stack";

describe("a tunnel that the state holds at ERROR", () => {
  const hq = { name: "hq", peerPublicIp: "203.0.113.7", peerCidr: "10.20.0.0/16" };
  const web = { name: "web", ipsecTunnelId: { tunnel: "hq" }, envZId: "env-1", target: "web.internal:443" };
  const resources = { tunnels: { hq }, shares: { web: { ...web, ingressPort: 443 } } };
  const postShare = (tunnelId: string) =>
    `POST /ipsec-shares ${JSON.stringify({ name: "web", ipsecTunnelId: tunnelId, envZId: "env-1", target: "web.internal:443", ingressPort: 443 })}`;

  let stack: Stack;
  const ids = () => [stack.id("hq"), stack.id("web")] as const;
  beforeAll(async () => {
    stack = await Stack.open();
  });
  afterAll(() => stack.close());

  it("since its create ended so, and DEPLOYED at the service since, is kept, and its share is made", async () => {
    stack.emulator.faults.failNext({ kind: "tunnel", op: "create" });
    expect((await stack.up(resources)).code).not.toBe(0);
    const tunnelId = stack.id("hq");
    stack.emulator.setStatus(tunnelId, "DEPLOYED");
    stack.writes();

    const run = await stack.steadyUp(resources);
    expect(stack.writes()).toEqual([postShare(tunnelId)]);
    expect(run).toMatchObject({ code: 0, errors: [] });
    expect(stack.alive()).toEqual([stack.id("web"), tunnelId]);
    expect(stack.kept()["hq"]?.outputs).toMatchObject({
      status: "DEPLOYED",
      sampleConfig: expect.anything() as object,
    });
  });

  it("since a refresh saw it so, and DEPLOYED at the service since, is kept with its share", async () => {
    const [tunnelId, shareId] = ids();
    stack.emulator.setStatus(tunnelId, "ERROR");
    expect(await stack.refresh()).toMatchObject({ code: 0 });
    expect(stack.kept()["hq"]?.outputs).toMatchObject({ status: "ERROR" });
    stack.emulator.setStatus(tunnelId, "DEPLOYED");

    const run = await stack.up(resources);
    expect(stack.writes()).toEqual([]);
    expect(run).toMatchObject({ code: 0, errors: [] });
    expect(stack.alive()).toEqual([shareId, tunnelId]);
    expect(stack.entered()).toEqual([`hq ${tunnelId}`, `web ${shareId}`]);
    expect(stack.kept()["hq"]?.outputs).toMatchObject({ status: "DEPLOYED" });
  });

  it("and that is so at the service too is replaced, its share with it", async () => {
    const [tunnelId, shareId] = ids();
    stack.emulator.setStatus(tunnelId, "ERROR");
    expect(await stack.refresh()).toMatchObject({ code: 0 });

    expect(await stack.up(resources)).toMatchObject({ code: 0, errors: [] });
    expect(stack.writes()).toEqual([
      `DELETE /ipsec-shares/${shareId}`,
      `DELETE /ipsec-tunnels/${tunnelId}`,
      `POST /ipsec-tunnels ${JSON.stringify(hq)}`,
      postShare(stack.id("hq")),
    ]);
    expect(stack.alive()).toEqual([stack.id("web"), stack.id("hq")]);
  });
});
