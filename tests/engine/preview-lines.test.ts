import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../harness/folder";
import { pluginClasses } from "../harness/plugin";
import { Stack } from "../harness/stack";

const program = ({ target = "web.internal:443", cidr = "10.20.0.0/16", location = "loc-1", mail = 25 }) => `
  const hq = new frontdoor.IpsecTunnel("hq", { peerPublicIp: "203.0.113.7", peerCidr: "${cidr}", locationId: "${location}" });
  const at = { ipsecTunnelId: hq.id, envZId: "env-1" };
  new frontdoor.IpsecShare("web", { ...at, target: "${target}", ingressPort: 443 });
  new frontdoor.IpsecShareSet("rest", { ...at, shares: { mail: { target: "mail.internal:25", ingressPort: ${mail} } } });`;

describe("a preview", () => {
  it.each(["pulumi-frontdoor", pluginClasses])("shows the requests beside each resource: %s", async (imports) => {
    const stack = await Stack.open();
    stack.imports = imports;
    expect(await stack.up(program({}))).toMatchObject({ code: 0 });
    const { text: changed } = await stack.preview(program({ target: "new.internal:443", mail: 2525 }));
    expect(changed).toMatch(/IpsecShare web .*PATCH target; the service recreates the share/);
    expect(changed).toMatch(/IpsecShareSet rest .*1 × PATCH; the service recreates 1 of 1 shares/);
    const { text: replaced } = await stack.preview(program({ cidr: "10.30.0.0/16" }));
    expect(replaced).toMatch(/IpsecTunnel hq .*DELETE, then POST; its shares are deleted first, and created again/);
    const { text: moved } = await stack.preview(program({ location: "loc-2" }));
    expect(moved).toMatch(/IpsecTunnel hq .*POST, then DELETE; its shares move to the new tunnel by PATCH/);
    expect(moved).toMatch(/IpsecShare web .*PATCH ipsecTunnelId, locationId; the service recreates the share/);
    expect((await stack.run("refresh", "--yes", "--skip-preview")).text).not.toContain("PATCH");
    await stack.close();
  });

  it.each(["pulumi-frontdoor", pluginClasses])(
    "of shares that move is not blocked by a policy: %s",
    async (imports) => {
      const stack = await Stack.open();
      stack.imports = imports;
      expect(await stack.up(program({}))).toMatchObject({ code: 0 });
      stack.calls();
      const config = join(stack.folder, "policies.json");
      writeFileSync(config, JSON.stringify({ all: "disabled", "match-share-locations": "mandatory" }));
      const policy = ["--policy-pack", join(root, "policy"), "--policy-pack-config", config];
      const moved = program({ location: "loc-2" });
      expect(await stack.preview(moved, ...policy)).toMatchObject({ code: 0, errors: [] });
      expect(await stack.up(moved, ...policy)).toMatchObject({ code: 0, errors: [] });
      expect(stack.calls().filter((call) => call.startsWith("PATCH"))).toHaveLength(2);
      expect(await stack.preview(moved, ...policy, "--expect-no-changes")).toMatchObject({ code: 0 });
      expect(stack.emulator.shares().map(({ locationId }) => locationId)).toEqual(["loc-2", "loc-2"]);
      await stack.close();
    },
  );

  it("of the plugin refuses a location and a port that another stack uses", async () => {
    const stack = await Stack.open();
    stack.imports = pluginClasses;
    const { id } = stack.emulator.seedTunnel({ id: "tnl-theirs", name: "theirs", locationId: "loc-1" });
    stack.emulator.seedShare({ ipsecTunnelId: id, name: "payments", ingressPort: 443, target: "pay.internal:443" });
    const share = { ipsecTunnelId: id, envZId: "env-1", target: "web.internal:443", ingressPort: 443 };
    const run = await stack.preview(`new frontdoor.IpsecShare("web", ${JSON.stringify(share)});`);
    expect([run.code === 0, run.errors.join("\n")]).toEqual([false, expect.stringMatching(/\[port-in-use\]/)]);
    expect((await stack.preview(program({}))).errors.join("\n")).toMatch(/\[place-taken\]/);
    await stack.close();
  });
});
