import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Ended, well } from "../harness/command";
import { Copies } from "../harness/copies";

// Programs of one folder, one after another: what a site and the functions do at preview and when something is wrong.
describe("site and functions on the engine", () => {
  let copies: Copies;

  beforeAll(async () => {
    copies = await Copies.open();
    copies.copy("ci");
    well(await copies.pulumi("ci", "stack", "init", "dev"));
  });
  afterAll(() => copies.close());

  const program = (...lines: string[]) => {
    const imports = ['import * as pulumi from "@pulumi/pulumi";', 'import * as frontdoor from "pulumi-frontdoor";'];
    writeFileSync(join(copies.folder, "ci", "index.ts"), [...imports, ...lines].join("\n"));
  };
  const site = (port: string) => {
    program(
      'const other = new frontdoor.IpsecTunnel("other", { peerPublicIp: "203.0.113.9", peerCidr: "10.30.0.0/16", locationId: "loc-2" });',
      'const site = new frontdoor.IpsecSite("branch", {',
      '  peerPublicIp: "203.0.113.7", peerCidr: "10.20.0.0/16", locationId: "loc-1", envZId: "env-1",',
      '  shares: { web: { target: "web.internal:443", ingressPort: 443 },',
      `            mail: { target: "mail.internal:25", ingressPort: ${port}, envId: "env-2" } } });`,
      "export const { endpoints, sampleConfig } = site;",
      "export const state = frontdoor.getTunnelConfigOutput({ id: site.tunnelId }).apply((config) => config.state);",
    );
  };
  const said = ({ stdout, stderr }: Ended) => stdout + stderr;
  const clash = 'IpsecSite "branch": shares "web" and "mail" have the same ingressPort 443';

  it.each(["443", "pulumi.output(443)"])("refuses a second share on a port at preview, given as %s", async (port) => {
    site(port);
    const run = await copies.pulumi("ci", "preview");
    expect(run.code).not.toBe(0);
    expect(said(run)).toContain(clash);
    expect(said(run)).not.toContain("    at ");
    expect(copies.writes()).toEqual([]);
  });

  it("passes over a port and an id that are not known at preview, and reads when they are", async () => {
    site('other.status.apply((status) => (status === "DEPLOYED" ? 2525 : 1))');
    well(await copies.pulumi("ci", "preview"));
    expect(copies.emulator.requests.filter(({ path }) => path.endsWith("/tunnel-config"))).toEqual([]);
    well(await copies.pulumi("ci", "up", "--yes", "--skip-preview"));
    const { stdout } = well(await copies.pulumi("ci", "stack", "output", "--json"));
    expect(JSON.parse(stdout)).toEqual({
      endpoints: { web: expect.stringMatching(/:443$/) as string, mail: expect.stringMatching(/:2525$/) as string },
      sampleConfig: "[secret]",
      state: "available",
    });
    expect(copies.emulator.shares().map(({ name, envZId }) => [name, envZId])).toEqual(
      expect.arrayContaining([
        [expect.stringMatching(/^frontdoor-ci-dev-branch-web-[0-9a-f]{8}$/), "env-1"],
        [expect.stringMatching(/^frontdoor-ci-dev-branch-mail-[0-9a-f]{8}$/), "env-2"],
      ]),
    );
  });

  it.each([
    ["a promise", 'frontdoor.getTunnel({ id: "tnl-none" }).then(console.log);'],
    ["an output", 'frontdoor.getSampleConfig({ id: pulumi.output("tnl-none") });'],
  ])("fails in one line where %s is about nothing", async (_name, call) => {
    program(call);
    const run = await copies.pulumi("ci", "preview");
    expect(run.code).not.toBe(0);
    expect(said(run)).toMatch(
      /error: (IPsec tunnel tnl-none: front door fd-1 has none of this id|GET \S+: 404 not_found)/,
    );
    expect(said(run)).not.toContain("    at ");
    expect(said(run)).not.toContain("unhandled");
  });
});
