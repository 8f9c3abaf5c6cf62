import { pluginClasses } from "../harness/plugin";
import { Stack } from "../harness/stack";

const tunnel = `const hq = new frontdoor.IpsecTunnel("hq", { peerPublicIp: "203.0.113.7", peerCidr: "10.20.0.0/16", locationId: "loc-1" });`;
const share = (name: string, more = "ipsecTunnelId: hq.id", opts = "") =>
  `new frontdoor.IpsecShare("${name}", { envZId: "env-1", target: "${name}.internal:443", ingressPort: 443, ${more} }, { ${opts} });`;
const component = (name: string) =>
  `(() => { const parent = new pulumi.ComponentResource("my:site:Office", "${name}"); ${share(`${name}-web`, "ipsecTunnelId: hq.id", "parent")} })();`;
const site = `const site = new frontdoor.IpsecSite("branch", { peerPublicIp: "203.0.113.7", peerCidr: "10.20.0.0/16", locationId: "loc-1", envZId: "env-1",
  shares: { web: { target: "web.internal:443", ingressPort: 443 } } });`;
const set = `new frontdoor.IpsecShareSet("rest", { ipsecTunnelId: pulumi.output(hq).id, envZId: "env-1", shares: { db: { target: "db.internal:1", ingressPort: 443 } } });`;

describe.each(["pulumi-frontdoor", pluginClasses])("a preview with %s", (imports) => {
  it.each([
    ["two shares", tunnel + share("web") + share("api"), ["web", "api"]],
    ["two components", tunnel + component("north") + component("south"), ["north-web", "south-web"]],
    ["a site and a share", site + share("api", "ipsecTunnelId: site.tunnelId"), ["branch-web", "api"]],
    ["a share and a set", tunnel + share("web") + set, ["web", 'rest["db"]']],
    [
      "a published tunnel",
      tunnel + share("web") + share("api", "ipsecTunnelId: frontdoor.publishedTunnel(hq).tunnelId"),
      ["web", "api"],
    ],
  ])("refuses one port of a tunnel that does not exist yet: %s", async (_what, program, names) => {
    const stack = await Stack.open();
    stack.imports = imports;
    try {
      const run = await stack.preview(program);
      expect(run.code).not.toBe(0);
      const told = run.errors.join("\n");
      expect(told).toMatch(/443.*\[port-twice\]/);
      expect(told).not.toContain("<nil>");
      for (const name of names) expect(told).toContain(name.replace(/^rest\["db"\]$/, "rest"));
      expect(stack.writes()).toEqual([]);
    } finally {
      await stack.close();
    }
  });
});

it.each(["pulumi-frontdoor", pluginClasses])(
  "an update plan of a new tunnel and its shares fits, with %s",
  async (imports) => {
    const stack = await Stack.open();
    stack.imports = imports;
    try {
      const program = tunnel + share("web") + set.replace("ingressPort: 443", "ingressPort: 444");
      expect(await stack.preview(program, "--save-plan", "plan.json")).toMatchObject({ code: 0, errors: [] });
      expect(await stack.up(program, "--plan", "plan.json")).toMatchObject({ code: 0, errors: [] });
      expect(await stack.up(program, "--expect-no-changes")).toMatchObject({ code: 0 });
      expect(stack.stateText()).not.toContain("__tunnel");
    } finally {
      await stack.close();
    }
  },
);
