import { Stack } from "../harness/stack";

describe("tunnel delete", () => {
  let stack: Stack;
  let id: string;

  beforeAll(async () => {
    stack = await Stack.open({ teardownMs: { tunnel: 100, share: 3000 } });
    const hq = { name: "hq", peerPublicIp: "203.0.113.7", peerCidr: "10.20.0.0/16" };
    expect(await stack.up({ tunnels: { hq } })).toMatchObject({ code: 0, steps: ["create hq"] });
    id = stack.id("hq");
    stack.emulator.seedShare({ id: "shr-foreign", name: "of-someone-else", ipsecTunnelId: id });
    stack.writes();
  });
  afterAll(() => stack.close());

  it("fails at once, naming a foreign share that is live, and keeps the state", async () => {
    const before = stack.kept();
    const run = await stack.destroy();
    expect(run.code).not.toBe(0);
    const errors = run.errors.join("\n");
    expect(errors).toContain(`IPsec tunnel "hq" (${id}): IPsec shares still use it: `);
    expect(errors).toContain(
      '"of-someone-else" (shr-foreign, DEPLOYED). The tunnel stays as it is. Delete these shares first. [tunnel-in-use]',
    );
    expect(stack.kept()).toEqual(before);
    expect(stack.writes()).toEqual([`DELETE /ipsec-tunnels/${id}`]);
    expect(stack.emulator.tunnels()).toMatchObject([{ id, status: "DEPLOYED" }]);
  });

  it("waits for a share that is being deleted", async () => {
    const { baseUrl, frontdoorId, token, requests } = stack.emulator;
    const url = `${baseUrl}/v2/${frontdoorId}/ipsec-shares/shr-foreign`;
    await fetch(url, { method: "DELETE", headers: { authorization: `Bearer ${token}` } });

    expect(await stack.destroy()).toMatchObject({ code: 0, steps: ["delete hq"] });

    const accepted = requests.filter(({ method, status }) => method === "DELETE" && status === 202);
    expect(accepted.map(({ path }) => path)).toEqual(["/ipsec-shares/shr-foreign", `/ipsec-tunnels/${id}`]);
    expect(stack.kept()).toEqual({});
    expect(stack.emulator.tunnels()).toMatchObject([{ id, status: "DELETED" }]);
  });
});
