import { Stack } from "./engine";

const tunnels = { hq: { peerPublicIp: "203.0.113.7", peerCidr: "10.20.0.0/16" } };
const web = { ipsecTunnelId: { tunnel: "hq" }, envZId: "env-1", target: "web.internal:443", ingressPort: 443 };

describe("share update", () => {
  let stack: Stack;
  let id: string;

  const up = (share: object) => stack.up({ tunnels, shares: { web: { ...share } } });

  beforeAll(async () => {
    stack = await Stack.open();
    const run = await up({ ...web, name: "web" });
    expect(run).toMatchObject({ code: 0, steps: ["create hq", "create web"] });
    stack.writes();
    id = stack.kept()["web"]?.id ?? "";
  });
  afterAll(() => stack.close());

  it("sends one PATCH with exactly the changed field", async () => {
    const run = await up({ ...web, name: "web", target: "web2.internal:443" });
    expect(run).toMatchObject({ code: 0, steps: ["update web"] });
    expect(stack.writes()).toEqual([`PATCH /ipsec-shares/${id} {"target":"web2.internal:443"}`]);
    expect(stack.kept()["web"]?.id).toBe(id);
  });
});
