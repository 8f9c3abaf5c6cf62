import { pluginClasses } from "../harness/plugin";
import { Stack } from "../harness/stack";

describe("a site on the engine", () => {
  let stack: Stack;
  beforeAll(async () => {
    stack = await Stack.open();
  });
  afterAll(() => stack.close());

  const program = (port: string) => `
    const other = new frontdoor.IpsecTunnel("other", { peerPublicIp: "203.0.113.9", peerCidr: "10.30.0.0/16", locationId: "loc-2" });
    const site = new frontdoor.IpsecSite("branch", {
      peerPublicIp: "203.0.113.7", peerCidr: "10.20.0.0/16", locationId: "loc-1", envZId: "env-1",
      shares: { web: { target: "web.internal:443", ingressPort: 443 },
                mail: { target: "mail.internal:25", ingressPort: ${port}, envId: "env-2" } } });
    exports.endpoints = site.endpoints;
    exports.sampleConfig = site.sampleConfig;
    exports.state = frontdoor.getTunnelConfigOutput({ id: site.tunnelId }).apply((config) => config.state);`;

  it("refuses at preview two shares on one port that is given as an output", async () => {
    const run = await stack.preview(program("pulumi.output(443)"));
    expect(run.code).not.toBe(0);
    expect(run.text).toContain('IpsecSite "branch": shares "web" and "mail" have the same ingressPort 443');
    expect(run.text).not.toContain("    at ");
    expect(stack.writes()).toEqual([]);
  });

  it("accepts a port and an id that only the update knows", async () => {
    const late = program('other.status.apply((status) => (status === "DEPLOYED" ? 2525 : 1))');
    expect(await stack.preview(late)).toMatchObject({ code: 0, errors: [] });
    expect(stack.emulator.requests.filter(({ path }) => path.endsWith("/tunnel-config"))).toEqual([]);
    expect(await stack.up(late)).toMatchObject({ code: 0, errors: [] });
    expect(JSON.parse((await stack.run("stack", "output", "--json")).text)).toEqual({
      endpoints: { web: expect.stringMatching(/:443$/) as string, mail: expect.stringMatching(/:2525$/) as string },
      sampleConfig: "[secret]",
      state: "available",
    });
    expect(
      stack.emulator
        .shares()
        .map(({ name, envZId }) => [name, envZId])
        .sort(),
    ).toEqual([
      [expect.stringMatching(/^engine-test-branch-mail/), "env-2"],
      [expect.stringMatching(/^engine-test-branch-web/), "env-1"],
    ]);
  });

  it.each([
    ["pulumi-frontdoor", 'frontdoor.getTunnel({ id: "tnl-none" }).then(console.log);'],
    ["pulumi-frontdoor", 'frontdoor.getSampleConfig({ id: pulumi.output("tnl-none") });'],
    [pluginClasses, 'frontdoor.getTunnel({ id: "tnl-none" }).then(console.log);'],
    [pluginClasses, 'frontdoor.getTunnelOutput({ id: pulumi.output("tnl-none") });'],
  ])("a function of %s that finds nothing fails in one line: %s", async (imports, call) => {
    stack.imports = imports;
    const { code, text } = await stack.preview(call);
    expect(code).not.toBe(0);
    expect(text).toMatch(
      /error: (IPsec tunnel tnl-none: front door fd-1 has no resource with this id|GET \S+: 404 not_found)/,
    );
    for (const word of ["    at ", "unhandled"]) expect(text).not.toContain(word);
  });
});
