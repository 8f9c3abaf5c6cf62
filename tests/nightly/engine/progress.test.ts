import { pluginClasses } from "../../harness/plugin";
import { Stack } from "../../harness/stack";

describe("a wait of more than a minute", () => {
  it.each(["pulumi-frontdoor", pluginClasses])("shows its progress beside the resource: %s", async (imports) => {
    const stack = await Stack.open({ provisionMs: 70_000 });
    stack.imports = imports;
    const tunnel = `new frontdoor.IpsecTunnel("hq", { peerPublicIp: "203.0.113.7", peerCidr: "10.20.0.0/16" });`;
    const { code, text } = await stack.up(tunnel);
    expect(code).toBe(0);
    expect(text).toMatch(/IpsecTunnel hq creating .*NEW for 6\d s, limit 60 min/);
    await stack.close();
  });
});
