import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../harness/folder";
import { pluginClasses } from "../harness/plugin";
import { Stack } from "../harness/stack";

const share = (args: string, opts = "{}") => `
  new frontdoor.IpsecShare("web", { ipsecTunnelId: "tnl-1", target: "web.internal:443", ingressPort: 443, ${args} }, ${opts});`;

describe("what the plugin's classes alone can", () => {
  let stack: Stack;
  beforeEach(async () => {
    stack = await Stack.open({}, { imports: pluginClasses });
    stack.emulator.seedTunnel({
      id: "tnl-1",
      peerPublicIp: "203.0.113.7",
      peerCidr: "10.20.0.0/16",
      locationId: "loc-1",
    });
  });
  afterEach(() => stack.close());

  it("take over by opts.import, and then find nothing to change", async () => {
    const hq = (opts: string) =>
      `exports.id = new frontdoor.IpsecTunnel("hq", { peerPublicIp: "203.0.113.7", peerCidr: "10.20.0.0/16", name: "${stack.emulator.tunnels()[0]?.name ?? ""}", locationId: "loc-1" }, ${opts}).id;`;
    const run = await stack.up(hq('{ import: "tnl-1" }'));
    expect([run.errors, run.steps]).toEqual([[], ["import hq"]]);
    expect((await stack.up(hq("{}"), "--refresh", "--expect-no-changes")).code).toBe(0);
    expect(stack.calls()).toEqual([]);
    expect(stack.stateText()).not.toContain(stack.emulator.samplePsk("tnl-1"));
  });

  it("get reads what is managed elsewhere, ready or not, and destroy leaves it alone", async () => {
    stack.emulator.setStatus("tnl-1", "NEW");
    expect((await stack.up(`exports.id = frontdoor.IpsecTunnel.get("hq", "tnl-1").id;`)).errors).toEqual([]);
    stack.emulator.setStatus("tnl-1", "DEPLOYED");
    const run = await stack.up(`const hq = frontdoor.IpsecTunnel.get("hq", "tnl-1");
      exports.told = pulumi.all([hq.peerCidr, hq.nlbDnsName, hq.frontdoorId]); exports.sample = hq.sampleConfig;`);
    expect(run.errors).toEqual([]);
    const { text } = await stack.run("stack", "output", "--json");
    const [{ nlbDnsName } = { nlbDnsName: null }] = stack.emulator.tunnels();
    expect(JSON.parse(text)).toEqual({ told: ["10.20.0.0/16", nlbDnsName, "fd-1"], sample: "[secret]" });
    expect((await stack.destroy()).code).toBe(0);
    expect([stack.calls(), stack.alive()]).toEqual([[], ["tnl-1"]]);
  });

  it.each([
    ["its options", '{ ignoreChanges: ["envId"] }'],
    ["a transform", '{ transforms: [({ props, opts }) => ({ props, opts: { ...opts, ignoreChanges: ["envId"] } })] }'],
  ])("a share ignores changes of the environment in either spelling by %s, also of a secret", async (_by, opts) => {
    expect((await stack.up(share('envId: pulumi.secret("hush-1")'))).errors).toEqual([]);
    expect(stack.stateText()).not.toContain("hush");
    stack.writes();
    const run = await stack.up(share('envId: pulumi.secret("hush-2"), target: "b.internal:443"', opts));
    expect(run.errors).toEqual([]);
    expect(stack.writes()).toEqual([expect.stringMatching(/^PATCH \S+ \{"target":"b.internal:443"\}$/)]);
    expect(stack.stateText()).not.toContain("hush");
  });

  it.each([
    ["a promise", 'frontdoor.getTunnel({ id: "tnl-none" }).then(console.log);'],
    ["an output", 'frontdoor.getTunnelOutput({ id: pulumi.output("tnl-none") });'],
    ["a sample configuration", 'frontdoor.getSampleConfig({ id: "tnl-none" });'],
  ])("%s of a function fails in one line", async (_of, call) => {
    const { code, text } = await stack.up(call);
    expect(code).not.toBe(0);
    expect(text).toMatch(/error: (IPsec tunnel tnl-none: front door fd-1 has none of this id|GET \S+: 404 not_found)/);
    expect(text).not.toContain("    at ");
    expect(text).not.toContain("unhandled");
  });

  it("bad settings of a provider are refused by their names", async () => {
    const run =
      await stack.preview(`new frontdoor.Provider("north", { baseUrl: "http://elsewhere", requestTimeout: 0 });
      ${share('envId: "env-1"')}`);
    expect(run.code).not.toBe(0);
    expect(run.text).toContain("frontdoor:baseUrl");
    expect(run.text).toContain("frontdoor:requestTimeout");
  });

  it("are served by the plugin that Pulumi.yaml names, without any on the path", async () => {
    stack.env["PATH"] = process.env["PATH"];
    const providers = [{ name: "frontdoor", path: join(root, "dist", "plugin") }];
    const project = { name: "engine", runtime: "nodejs", plugins: { providers } };
    writeFileSync(join(stack.folder, "Pulumi.yaml"), JSON.stringify(project));
    const run = await stack.up(share('envId: "env-1"'));
    expect([run.code, run.errors]).toEqual([0, []]);
    expect(run.text).not.toContain("warning");
  });
});
