import { Stack } from "../../harness/stack";

// adopt counts only for what the state does not hold yet.
describe("a tunnel's peerCidr changes while adopt is still in the program", () => {
  const hq = { name: "hq", peerPublicIp: "203.0.113.7", peerCidr: "10.20.0.0/16", locationId: "loc-1" };
  const web = { name: "web", envZId: "env-1", target: "web.internal:443", ingressPort: 443 };
  const program = (peerCidr: string) => ({
    tunnels: { hq: { ...hq, peerCidr, adopt: "tnl-x" } },
    shares: { web: { ...web, adopt: "shr-x", ipsecTunnelId: { tunnel: "hq" } } },
  });
  const newTunnel = (peerCidr: string) =>
    `POST /ipsec-tunnels ${JSON.stringify({ name: "hq", peerPublicIp: "203.0.113.7", peerCidr, locationId: "loc-1" })}`;
  const newShare = (ipsecTunnelId: string) =>
    `POST /ipsec-shares ${JSON.stringify({ name: "web", ipsecTunnelId, envZId: "env-1", target: "web.internal:443", ingressPort: 443 })}`;

  let stack: Stack;
  beforeEach(async () => {
    stack = await Stack.open();
    stack.emulator.seedTunnel({ id: "tnl-x", ...hq });
    stack.emulator.seedShare({ id: "shr-x", ipsecTunnelId: "tnl-x", locationId: "loc-1", ...web });
    expect(await stack.up(program(hq.peerCidr))).toMatchObject({ code: 0 });
    stack.writes();
  });
  afterEach(() => stack.close());

  /** What the run makes of it: both new, each once. */
  const isRight = (run: object) => {
    expect(run).toMatchObject({ code: 0, errors: [] });
    expect(stack.entered()).toEqual([`hq ${stack.id("hq")}`, `web ${stack.id("web")}`]);
    expect(stack.alive()).toEqual([stack.id("web"), stack.id("hq")]);
    expect(stack.emulator.shares().find(({ id }) => id === stack.id("web"))?.ipsecTunnelId).toBe(stack.id("hq"));
  };

  it("deletes both and makes both anew, and does so at the next change too", async () => {
    const run = await stack.up(program("10.21.0.0/16"));
    expect(stack.writes()).toEqual([
      "DELETE /ipsec-shares/shr-x",
      "DELETE /ipsec-tunnels/tnl-x",
      newTunnel("10.21.0.0/16"),
      newShare(stack.id("hq")),
    ]);
    isRight(run);
    isRight(await stack.steadyUp(program("10.22.0.0/16")));
  });

  it.each([
    ["tunnel", "/ipsec-tunnels", 409],
    ["share", "/ipsec-shares", 400],
  ])("is made good by the next up where the create of the %s was refused", async (_kind, path, status) => {
    stack.emulator.faults.answerNext({
      method: "POST",
      path: new RegExp(`^${path}$`),
      status,
      body: { error: "invalid_request", message: "not now" },
    });
    expect((await stack.up(program("10.21.0.0/16"))).code).not.toBe(0);
    const run = await stack.steadyUp(program("10.21.0.0/16"));
    // What the failed run deleted may be asked for again: it is gone.
    const deletes = new Set(stack.writes().filter((write) => write.startsWith("DELETE")));
    expect(deletes).toEqual(new Set(["DELETE /ipsec-shares/shr-x", "DELETE /ipsec-tunnels/tnl-x"]));
    isRight(run);
  });
});
