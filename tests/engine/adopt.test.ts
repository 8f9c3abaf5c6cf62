import { Stack } from "../harness/stack";

describe("adopt", () => {
  const hq = { name: "by-hand", peerPublicIp: "203.0.113.7", peerCidr: "10.20.0.0/16" };
  const web = { name: "web", envZId: "env-1", target: "web.internal:443", ingressPort: 443 };

  let stack: Stack;
  let tunnelId: string;
  let shareId: string;

  /** Makes something the way someone without Pulumi would. */
  const post = async (path: string, body: object): Promise<string> => {
    const { baseUrl, frontdoorId, token } = stack.emulator;
    const answer = await fetch(`${baseUrl}/v2/${frontdoorId}${path}`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    return ((await answer.json()) as { id: string }).id;
  };
  const program = (tunnel: object, share: object) => ({
    tunnels: { hq: { ...hq, ...tunnel } },
    shares: { web: { ...web, ipsecTunnelId: { tunnel: "hq" }, ...share } },
  });

  beforeAll(async () => {
    stack = await Stack.open();
    tunnelId = await post("/ipsec-tunnels", hq);
    shareId = await post("/ipsec-shares", { ...web, ipsecTunnelId: tunnelId });
    stack.writes();
  });
  afterAll(() => stack.close());

  it("takes a tunnel and a share over without a POST and PATCHes once what differs in the share", async () => {
    const share = { adopt: shareId, target: "web2.internal:443" };
    expect(await stack.steadyUp(program({ adopt: tunnelId }, share))).toMatchObject({
      code: 0,
      steps: ["create hq", "create web"],
    });
    expect(stack.writes()).toEqual([`PATCH /ipsec-shares/${shareId} {"target":"web2.internal:443"}`]);
    expect([stack.id("hq"), stack.id("web")]).toEqual([tunnelId, shareId]);
    expect(stack.kept()["hq"]?.outputs).toMatchObject({
      status: "DEPLOYED",
      sampleConfig: expect.anything() as object,
    });
  });

  it("is no change when it is removed from the program", async () => {
    const run = await stack.preview(program({}, { target: "web2.internal:443" }), "--expect-no-changes");
    expect(run).toMatchObject({ code: 0, steps: [] });
  });

  it("fetches no sample configuration with storeSampleConfig: false, which is an update in place, there and back", async () => {
    const share = { target: "web2.internal:443" };
    const without = program({ storeSampleConfig: false }, share);
    stack.emulator.requests.length = 0;
    expect(await stack.steadyUp(without)).toMatchObject({ code: 0, steps: ["update hq"] });
    expect(stack.emulator.requests.filter(({ path }) => path.endsWith("/sample-config"))).toEqual([]);
    expect(stack.kept()["hq"]?.outputs).not.toHaveProperty("sampleConfig");
    expect(await stack.up(program({}, share))).toMatchObject({ code: 0, steps: ["update hq"] });
    expect(stack.kept()["hq"]?.outputs).toHaveProperty("sampleConfig");
    expect(stack.writes()).toEqual([]);
    expect(stack.id("hq")).toBe(tunnelId);
  });

  it("makes them the stack's own: destroy removes them", async () => {
    expect(await stack.destroy()).toMatchObject({ code: 0 });
    expect(stack.writes()).toEqual([`DELETE /ipsec-shares/${shareId}`, `DELETE /ipsec-tunnels/${tunnelId}`]);
  });

  it("takes two of one name that keep it, also after a refresh", async () => {
    const on = { tunnels: { hq: { ...hq } } };
    await stack.up(on);
    const ipsecTunnelId = stack.id("hq");
    const ids = await Promise.all(
      [1, 2].map((ingressPort) => post("/ipsec-shares", { ...web, ingressPort, ipsecTunnelId })),
    );
    const unnamed = ids.map((adopt, n) => ({ ...web, name: undefined, ingressPort: n + 1, ipsecTunnelId, adopt }));
    const both = { ...on, shares: { a: unnamed[0] ?? {}, b: unnamed[1] ?? {} } };
    expect(await stack.steadyUp(both)).toMatchObject({ code: 0, errors: [] });
    expect(await stack.preview(both, "--expect-no-changes")).toMatchObject({ code: 0, errors: [] });
    expect(await stack.destroy()).toMatchObject({ code: 0 });
  });
});
