import { Stack } from "../harness/stack";

describe("name: null", () => {
  const tunnel = { peerPublicIp: "203.0.113.7", peerCidr: "10.20.0.0/16" };
  const hq = { name: null, ...tunnel };
  const share = { envZId: "env-1", target: "web.internal:443", ingressPort: 443 };
  const web = { name: null, ...share };

  let stack: Stack;
  beforeAll(async () => {
    stack = await Stack.open();
    const made = await stack.up({ tunnels: { hq }, shares: { web: { ...web, ipsecTunnelId: { tunnel: "hq" } } } });
    expect(made).toMatchObject({ code: 0 });
    stack.writes();
  });
  afterAll(() => stack.close());

  it("is a name not given: a rename with an alias changes nothing at the service", async () => {
    const [tunnelId, shareId] = [stack.id("hq"), stack.id("web")];
    const renamed = {
      tunnels: { office: { ...hq, opts: { aliases: [{ name: "hq" }] } } },
      shares: { portal: { ...web, ipsecTunnelId: { tunnel: "office" }, opts: { aliases: [{ name: "web" }] } } },
    };
    const run = await stack.steadyUp(renamed);
    expect(stack.writes()).toEqual([]);
    expect(run).toMatchObject({ code: 0, errors: [] });
    expect(stack.entered()).toEqual([`office ${tunnelId}`, `portal ${shareId}`]);
    expect(stack.alive()).toEqual([shareId, tunnelId]);
  });

  it("is the same as none at all", async () => {
    const resources = {
      tunnels: { office: tunnel },
      shares: { portal: { ...share, ipsecTunnelId: { tunnel: "office" } } },
    };
    expect(await stack.up(resources)).toMatchObject({ code: 0, errors: [] });
    expect(stack.writes()).toEqual([]);
  });
});
