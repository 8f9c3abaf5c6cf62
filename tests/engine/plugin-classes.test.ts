import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../harness/folder";
import { pluginClasses } from "../harness/plugin";
import { Stack } from "../harness/stack";

const tunnel = (locationId: string) => ({ peerPublicIp: "203.0.113.7", peerCidr: "10.20.0.0/16", locationId });
const share = (name: string, port: number, args: string, opts = "{}") => `
  new frontdoor.IpsecShare("${name}", { ipsecTunnelId: "tnl-1", target: "web.internal:443", ingressPort: ${port}, ${args} }, ${opts});`;

describe("what only the plugin's classes can do", () => {
  let stack: Stack;
  beforeEach(async () => {
    stack = await Stack.open({}, { imports: pluginClasses });
    for (const number of [1, 2]) stack.emulator.seedTunnel({ id: `tnl-${number}`, ...tunnel(`loc-${number}`) });
  });
  afterEach(() => stack.close());

  it("opts.import adopts a tunnel, and get reads another one, ready or not, which destroy leaves alone", async () => {
    const [first, second] = stack.emulator.tunnels();
    const args = JSON.stringify({ ...tunnel("loc-1"), name: first?.name });
    const program = (opts: string) => `
      new frontdoor.IpsecTunnel("hq", ${args}, ${opts});
      const other = frontdoor.IpsecTunnel.get("other", "tnl-2");
      exports.told = pulumi.all([other.peerCidr, other.nlbDnsName, other.frontdoorId]);
      exports.sample = other.sampleConfig;`;
    stack.emulator.setStatus("tnl-2", "NEW");
    const run = await stack.up(program('{ import: "tnl-1" }'));
    expect([run.errors, run.steps]).toEqual([[], expect.arrayContaining(["import hq"])]);
    stack.emulator.setStatus("tnl-2", "DEPLOYED");
    expect(await stack.up(program("{}"))).toMatchObject({ code: 0, errors: [] });
    const { text } = await stack.run("stack", "output", "--json");
    expect(JSON.parse(text)).toEqual({ told: ["10.20.0.0/16", second?.nlbDnsName, "fd-1"], sample: "[secret]" });
    for (const id of ["tnl-1", "tnl-2"]) expect(stack.stateText()).not.toContain(stack.emulator.samplePsk(id));
    expect(stack.calls()).toEqual([]);
    expect(await stack.destroy()).toMatchObject({ code: 0 });
    expect([stack.calls(), stack.alive()]).toEqual([["DELETE /ipsec-tunnels/tnl-1"], ["tnl-2"]]);
  });

  it("a share ignores changes of the environment in either spelling, by an option or a transform, also of a secret", async () => {
    const transform = '({ props, opts }) => ({ props, opts: { ...opts, ignoreChanges: ["envId"] } })';
    const program = (args: string) =>
      share("one", 443, args, '{ ignoreChanges: ["envId"] }') +
      share("two", 444, args, `{ transforms: [${transform}] }`);
    expect(await stack.up(program('envId: pulumi.secret("hush-1")'))).toMatchObject({ code: 0, errors: [] });
    stack.writes();
    const run = await stack.up(program('envId: pulumi.secret("hush-2"), target: "b.internal:443"'));
    expect([run.code, run.errors]).toEqual([0, []]);
    const patch = expect.stringMatching(/^PATCH \S+ \{"target":"b.internal:443"\}$/) as string;
    expect(stack.writes()).toEqual([patch, patch]);
    expect(stack.stateText()).not.toContain("hush");
  });

  it("wrong settings of a provider are refused by their names", async () => {
    const settings = '{ baseUrl: "http://elsewhere", requestTimeout: 0 }';
    const run = await stack.preview(`new frontdoor.Provider("north", ${settings});`);
    expect(run.code).not.toBe(0);
    for (const name of ["frontdoor:baseUrl", "frontdoor:requestTimeout"]) expect(run.text).toContain(name);
  });

  it("the engine finds the plugin where Pulumi.yaml names it, without any on the path", async () => {
    stack.env["PATH"] = process.env["PATH"];
    const providers = [{ name: "frontdoor", path: join(root, "dist", "plugin") }];
    const project = { name: "engine", runtime: "nodejs", plugins: { providers } };
    writeFileSync(join(stack.folder, "Pulumi.yaml"), JSON.stringify(project));
    const run = await stack.up(share("web", 443, 'envId: "env-1"'));
    expect([run.code, run.errors]).toEqual([0, []]);
    expect(run.text).not.toContain("warning");
  });
});
