import { join } from "node:path";
import { pluginClasses } from "../harness/environment";
import { root } from "../harness/folder";
import { ownStack } from "../harness/own-stack";
import { type Declare, lifeOf } from "../harness/site-life";
import { peer } from "../harness/things";

// IpsecSite as a component of the plugin, here from a program in JavaScript. tests/package/languages.long.test.ts has YAML and Python.
// The engine of these tests does not hand on a component's aliases (pulumi/pulumi#18801), so none is tried here.
const component = join(root, "tests/harness/component.cjs");

const declare: Declare = (stack, sites) => {
  stack.program({ sites });
};

it("a component sends the same requests as the class, edit by edit", async () => {
  const [ofClass, ofComponent] = await Promise.all(
    [pluginClasses, component].map(async (imports) => lifeOf(await ownStack({}, { imports }), declare)),
  );
  const counts = Object.fromEntries(Object.entries(ofClass ?? {}).map(([edit, writes]) => [edit, writes.length]));
  expect(counts).toEqual({
    declare: 7,
    "change, rename, protect and retain": 2,
    "remove what is protected": 0,
    "protect no more": 0,
    "remove what is retained": 0,
    adopt: 0,
    destroy: 7,
  });
  expect(ofComponent).toEqual(ofClass);
});

const site = { ...peer, envZId: "env-1", shares: { web: { target: "web.internal:443", ingressPort: 443 } } };

it("a program goes from the class to the component and back without a change", async () => {
  const stack = await ownStack({}, { imports: pluginClasses });
  const opts = { parent: "company", customTimeouts: { create: "20m" } };
  const program = { groups: { company: {} }, sites: { berlin: { ...site, opts } } };
  expect(await stack.up(program)).toMatchObject({ code: 0, errors: [] });
  stack.writes();
  const before = stack.kept();
  for (const imports of [component, pluginClasses]) {
    stack.imports = imports;
    expect(await stack.up(program, "--refresh")).toMatchObject({ code: 0, errors: [], steps: [] });
    expect([stack.writes(), stack.kept()]).toEqual([[], before]);
  }
});

it("a component takes unknown values and secrets within its shares, and its own provider", async () => {
  const tokens = { "very-secret-token": ["fd-1"], "hush-south-token": ["fd-2"] };
  const stack = await ownStack({ tokens }, { imports: component });
  const program = `
  const provider = new frontdoor.Provider("south", { frontdoorId: "fd-2", token: "hush-south-token" });
  const hq = new frontdoor.IpsecTunnel("hq", ${JSON.stringify({ ...peer, peerCidr: "10.40.0.0/16", locationId: "loc-2" })});
  const shares = {
    web: { target: pulumi.secret("hush-host.internal:443"), ingressPort: 443 },
    db: { target: hq.nlbDnsName.apply((name) => name + ":5432"), ingressPort: 5432 },
  };
  const sites = ["fd-1", "fd-2"].map((door) => new frontdoor.IpsecSite("site-" + door,
    { ...${JSON.stringify({ ...site, locationId: "loc-1" })}, shares }, { dependsOn: hq, ...(door === "fd-2" && { provider }) }));
  exports.ids = sites.map(({ shareIds }) => shareIds);
  exports.samples = sites.map(({ sampleConfig }) => sampleConfig);`;
  const preview = await stack.preview(program);
  expect(preview).toMatchObject({ code: 0, errors: [] });
  expect(preview.steps).toHaveLength(7);
  expect(await stack.up(program)).toMatchObject({ code: 0, errors: [] });
  const doors = stack.emulator.shares().map(({ frontdoorId, ingressPort }) => `${frontdoorId} ${ingressPort}`);
  expect(doors.sort()).toEqual(["fd-1 443", "fd-1 5432", "fd-2 443", "fd-2 5432"]);
  for (const secret of ["hush", stack.emulator.samplePsk(stack.id("site-fd-1"))])
    expect(stack.stateText()).not.toContain(secret);
  const { text } = await stack.run("stack", "output", "--json");
  expect(JSON.parse(text)).toMatchObject({ samples: ["[secret]", "[secret]"] });
  stack.writes();
  expect(await stack.up(program, "--refresh", "--expect-no-changes")).toMatchObject({ code: 0, errors: [], steps: [] });
  expect(stack.writes()).toEqual([]);
});

it.each([
  [
    "wrong values of the tunnel and of each share",
    { peerCidr: "10.20.0.1/16", shares: { web: { target: "web" }, db: { target: "db:5432", ingressPort: 0 } } },
    /^peerCidr \("10\.20\.0\.1\/16"\) must be .*\n(?=[^]*^shares\["db"\]\.ingressPort \(0\) must be )[^]*^shares\["web"\]\.target \("web"\) must be /m,
  ],
  [
    "an option that no child has",
    { opts: { ignoreChanges: ["colour"] } },
    /no resource of the site has "colour" of ignoreChanges/,
  ],
])("a component refuses %s before it registers a child, with the words of the class", async (_what, wrong, words) => {
  const stack = await ownStack({}, { imports: component });
  const program = { sites: { berlin: { ...site, ...wrong } } };
  const refused = await stack.up(program);
  expect(refused.code).not.toBe(0);
  expect(refused.errors.join("\n")).toMatch(words);
  expect([stack.entries(), stack.writes()]).toEqual([[], []]);
  stack.imports = pluginClasses;
  expect((await stack.up(program)).errors.join("\n")).toMatch(words);
});
