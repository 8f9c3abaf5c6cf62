import { pluginClasses } from "../harness/plugin";
import { Stack } from "../harness/stack";

const hq = { name: "hq", peerPublicIp: "203.0.113.7", peerCidr: "10.20.0.0/16" };
const web = {
  name: "web",
  ipsecTunnelId: { tunnel: "hq" },
  envZId: "env-1",
  target: "web.internal:443",
  ingressPort: 443,
};

describe.each(["pulumi-frontdoor", pluginClasses])("the replacement of a tunnel, with classes of %s,", (imports) => {
  it("fails and names a share that another team made under the name of an interrupted create", async () => {
    const stack = await Stack.open({}, { imports });
    try {
      expect(await stack.up({ tunnels: { hq } })).toMatchObject({ code: 0 });
      const ipsecTunnelId = stack.id("hq");
      // The POST does nothing at the service, and its answer is lost.
      stack.emulator.faults.dropNext({ method: "POST", path: /^\/ipsec-shares$/ });
      const run = stack.up({ tunnels: { hq }, shares: { web } });
      while (stack.emulator.faults.pending() > 0) await new Promise((resolve) => setTimeout(resolve, 10));
      stack.killProvider();
      expect((await run).code).not.toBe(0);
      expect(stack.emulator.shares()).toEqual([]);

      const { id } = stack.emulator.seedShare({ name: "web", ipsecTunnelId, target: "theirs.internal:443" });
      stack.writes();
      const edited = { tunnels: { hq: { ...hq, peerCidr: "10.99.0.0/16" } }, shares: { web } };
      const replaced = await stack.up(edited);
      expect(replaced.code).not.toBe(0);
      expect(replaced.errors.join("\n")).toContain(`IPsec shares still use it: "web" (${id}, DEPLOYED)`);
      expect(stack.emulator.shares()).toMatchObject([{ id, status: "DEPLOYED", ipsecTunnelId }]);
      expect(stack.calls()).toEqual([`DELETE /ipsec-tunnels/${ipsecTunnelId}`]);
    } finally {
      await stack.close();
    }
  });
});
