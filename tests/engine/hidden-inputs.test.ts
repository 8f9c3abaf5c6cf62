import { pluginClasses } from "../harness/plugin";
import { Stack } from "../harness/stack";

const hq = { name: "hq", peerPublicIp: "203.0.113.7", peerCidr: "10.20.0.0/16" };
const web = { name: "web", ipsecTunnelId: { tunnel: "hq" }, envZId: { secret: "env-1" }, ingressPort: 443 };

it.each(["pulumi-frontdoor", pluginClasses])(
  "a refresh shows no hidden input as a change, with %s",
  async (imports) => {
    const stack = await Stack.open({}, { imports });
    try {
      const opts = { customTimeouts: { update: "20m" } };
      await stack.up({ tunnels: { hq }, shares: { web: { ...web, target: "web.internal:443", opts } } });
      await fetch(`${stack.emulator.baseUrl}/v2/fd-1/ipsec-shares/${stack.id("web")}`, {
        method: "PATCH",
        headers: { authorization: `Bearer ${stack.emulator.token}`, "content-type": "application/json" },
        body: JSON.stringify({ target: "other.internal:443" }),
      });
      const { code, text } = await stack.run("refresh", "--preview-only", "--diff", "--stack", "test");
      process.stderr.write(text);
      expect(code).toBe(0);
      expect(text).toContain("other.internal:443");
      expect(text).not.toMatch(/__(origin|secrets|provider|timeouts)/);
    } finally {
      await stack.close();
    }
  },
);
