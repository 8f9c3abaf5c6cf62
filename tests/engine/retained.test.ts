import { pluginClasses } from "../harness/plugin";
import { Stack } from "../harness/stack";

const retained = "{ retainOnDelete: true }";
const tunnel = (more = "", name = "hq") =>
  `const ${name} = new frontdoor.IpsecTunnel("${name}", { peerPublicIp: "203.0.113.7", peerCidr: "10.20.0.0/16", locationId: "loc-1", ${more} }, ${retained});`;
const share = `new frontdoor.IpsecShare("web", { ipsecTunnelId: hq.id, envZId: "env-1", target: "web.internal:443", ingressPort: 443 }, ${retained});`;
const edit = 'peerPublicIp: "203.0.113.9",';

describe.each(["pulumi-frontdoor", pluginClasses])("retainOnDelete with %s", (imports) => {
  let stack: Stack;
  beforeAll(async () => {
    stack = await Stack.open();
    stack.imports = imports;
    expect(await stack.up(tunnel() + share)).toMatchObject({ code: 0 });
    stack.writes();
  });
  afterAll(() => stack.close());

  it("is refused at preview and in up if the tunnel would be replaced at its location", async () => {
    for (const run of [await stack.preview(tunnel(edit) + share), await stack.up(tunnel(edit) + share)]) {
      expect(run.code).not.toBe(0);
      expect(run.errors.join("\n")).toMatch(/"engine-test-hq".*\[retained-tunnel\]/);
    }
    expect([stack.writes(), stack.entered()]).toEqual([[], ["hq tnl-1", "web shr-1"]]);
  });

  it("after a replacement that failed, a revert continues with the tunnel and the share", async () => {
    // A component gives the option to its children, and the engine tells neither class nor provider.
    const inComponent = (source: string) =>
      source
        .replaceAll(retained, "{ parent: site }")
        .replace(/^/, `const site = new pulumi.ComponentResource("my:site:Site", "site", {}, ${retained});`);
    const other = await Stack.open();
    other.imports = imports;
    try {
      expect(await other.up(inComponent(tunnel() + share))).toMatchObject({ code: 0 });
      const failed = await other.up(inComponent(tunnel(edit) + share));
      expect(failed.code).not.toBe(0);
      expect(failed.errors.join("\n")).toMatch(/`retainOnDelete` keeps it\. Undo the change .*\[place-taken\]/);
      expect(failed.errors.join("\n")).not.toMatch(/[Rr]emove/);
      other.writes();
      expect(await other.up(inComponent(tunnel() + share))).toMatchObject({ code: 0, errors: [] });
      expect([other.writes(), other.entered()]).toEqual([[], ["hq tnl-1", "web shr-1"]]);
      expect(await other.up(inComponent(tunnel() + share), "--refresh", "--expect-no-changes")).toMatchObject({
        code: 0,
      });
    } finally {
      await other.close();
    }
  });

  it("lets the tunnel move to another location, and keeps the old one", async () => {
    expect(await stack.up(tunnel(`${edit} locationId: "loc-2",`) + share)).toMatchObject({ code: 0, errors: [] });
    expect(stack.alive()).toEqual(["shr-1", "tnl-1", "tnl-2"]);
  });
});

describe.each(["pulumi-frontdoor", pluginClasses])("up --replace with %s", (imports) => {
  it("says of a tunnel and of a set that it is this very resource", async () => {
    const stack = await Stack.open();
    stack.imports = imports;
    const set = `new frontdoor.IpsecShareSet("rest", { ipsecTunnelId: "tnl-9", envZId: "env-1", shares: { db: { target: "db.internal:1", ingressPort: 444 } } });`;
    try {
      stack.emulator.seedTunnel({ id: "tnl-9", locationId: "loc-9" });
      const program = tunnel() + set;
      expect(await stack.up(program)).toMatchObject({ code: 0 });
      stack.writes();
      const prefix = `urn:pulumi:test::engine::${imports === pluginClasses ? "frontdoor:index" : "pulumi-nodejs:dynamic/frontdoor"}`;
      const urns = [`${prefix}:IpsecTunnel::hq`, `${prefix}:IpsecShareSet::rest`];
      const run = await stack.up(program, ...urns.flatMap((urn) => ["--replace", urn]), "--continue-on-error");
      for (const id of ["tnl-2", "shr-1"])
        expect(run.errors.join("\n")).toMatch(
          new RegExp(
            `${id}\\) exists; with .--replace. it is this very resource, which Pulumi would create before it deletes it`,
          ),
        );
      expect(stack.writes()).toEqual([]);
    } finally {
      await stack.close();
    }
  });

  it("two sites without a location are told of at preview, and each mistake ends after what its message names", async () => {
    const stack = await Stack.open();
    stack.imports = imports;
    const site = (name: string, octet: number, more = "") =>
      `new frontdoor.IpsecSite("${name}", { peerPublicIp: "203.0.113.${octet}", peerCidr: "10.${octet}.0.0/16", envZId: "env-1", ${more} shares: { web: { target: "web.internal:443", ingressPort: 443 } } });`;
    try {
      const run = await stack.preview(site("north", 7) + site("south", 8));
      expect([run.code, run.text]).toEqual([
        0,
        expect.stringMatching(/"north" and "south".*name no location[^]*\[location-open\]/),
      ]);
      const first = (await stack.up(site("north", 7) + site("south", 8))).errors.join("\n");
      const [, holder = ""] = /Give "(north|south)" none, or `locationId: "loc-1"`\. \[place-taken\]/.exec(first) ?? [];
      const [other, octet, itsOctet] = holder === "north" ? ["south", 7, 8] : ["north", 8, 7];
      // The wrong way round: the one that has loc-1 shall leave it.
      const edited = site(holder, octet, 'locationId: "loc-2",') + site(other, itsOctet, 'locationId: "loc-1",');
      for (let times = 0; times < 2; times++)
        expect((await stack.up(edited)).errors.join("\n")).toContain(
          `Pulumi deletes tnl-1 at the end of a run. Run \`pulumi up --target '**${holder}**' --target-dependents\`, then \`pulumi up\`. [place-taken]`,
        );
      const back = site(holder, octet, 'locationId: "loc-1",') + site(other, itsOctet, 'locationId: "loc-3",');
      expect((await stack.preview(back)).errors.join("\n")).toMatch(/set `adopt: "tnl-1"` in the arguments/);
      expect(await stack.up(edited, "--target", `**${holder}**`, "--target-dependents")).toMatchObject({ code: 0 });
      expect(await stack.up(edited)).toMatchObject({ code: 0 });
      expect(await stack.up(edited, "--expect-no-changes")).toMatchObject({ code: 0 });
    } finally {
      await stack.close();
    }
  });
});
