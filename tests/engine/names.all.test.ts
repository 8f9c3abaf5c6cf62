import { ownStack } from "../harness/own-stack";
import { Stack } from "../harness/stack";
import { dynamicClasses, pluginClasses } from "../harness/environment";
import { peer } from "../harness/things";

const share = { ipsecTunnelId: "tnl-1", envZId: "env-1", target: "web.internal:443", ingressPort: 443 };

describe("derived names", () => {
  let stack: Stack;
  /** Logical names are only unique within a type and the types of the parents. */
  const program = `
    const share = ${JSON.stringify(share)};
    new frontdoor.IpsecShare("x", share);
    for (const [index, type] of ["my:site:Office", "my:site:Plant"].entries()) {
      const parent = new pulumi.ComponentResource(type, type);
      new frontdoor.IpsecShare("x", { ...share, ingressPort: 8443 + index }, { parent });
    }`;

  beforeAll(async () => {
    stack = await Stack.open({}, { imports: pluginClasses });
    stack.emulator.seedTunnel({ id: "tnl-1" });
    expect(await stack.up(program)).toMatchObject({ code: 0, errors: [] });
    stack.writes();
  });
  afterAll(() => stack.close());

  it("stay as they are when the stack is renamed, and then its project", async () => {
    await stack.rename("prod");
    expect(await stack.preview(program, "--expect-no-changes")).toMatchObject({ code: 0 });
    await stack.rename("prod", "branch-offices");
    expect(await stack.up(program, "--refresh", "--expect-no-changes")).toMatchObject({ code: 0, errors: [] });
    expect(stack.writes()).toEqual([]);
  });
});

it("a name that a stack transformation gives is a chosen one: nothing of that name is taken over", async () => {
  const stack = await ownStack();
  const hq = { ...peer, locationId: "loc-1" };
  stack.emulator.seedTunnel({ id: "tnl-1", locationId: "loc-other" });
  stack.emulator.seedShare({ ...share, id: "shr-foreign", name: "theirs", locationId: "loc-other" });
  stack.emulator.seedTunnel({ ...hq, id: "tnl-foreign", name: "theirs" });
  // Derived names would be taken over.
  stack.env["FRONTDOOR_TAKE_OVER"] = "alike";
  const source = `
    const named = ({ props, opts }) => ({ props: { ...props, name: "theirs" }, opts });
    pulumi.runtime.registerStackTransformation(named);
    new frontdoor.IpsecShare("web", ${JSON.stringify(share)});
    new frontdoor.IpsecTunnel("hq", ${JSON.stringify(hq)});`;
  const run = await stack.up(source, "--continue-on-error");
  expect(run.code).not.toBe(0);
  for (const id of ["shr-foreign", "tnl-foreign"]) expect(run.errors.join("\n")).toContain(id);
  expect([stack.kept(), stack.writes()]).toEqual([{}, []]);
});

describe("a site on the engine", () => {
  let stack: Stack;
  beforeAll(async () => {
    stack = await Stack.open();
  });
  afterAll(() => stack.close());

  it.each([dynamicClasses, pluginClasses])(
    "formerly moves an application of %s into a site of a component by one PATCH, and out of it if it names the site itself",
    async (imports) => {
      const own = await ownStack({}, { imports });
      const site = (name: string, number: number, shares: string, opts = "{}") =>
        `const ${name} = new frontdoor.IpsecSite("${name}", { peerPublicIp: "203.0.113.${number}", peerCidr: "10.${number}.0.0/16",
          locationId: "loc-${number}", envZId: "env-1", shares: { ${shares} } }, ${opts});`;
      const office = 'const parent = new pulumi.ComponentResource("my:site:Office", "office");';
      const db = (formerly = "") => `db: { target: "db.internal:5432", ingressPort: 5432, ${formerly} }`;
      const programs = [
        `${office} ${site("north", 1, db())} ${site("south", 2, "", "{ parent }")}`,
        `${office} ${site("north", 1, "")} ${site("south", 2, db('formerly: { site: "north", key: "db" }'), "{ parent }")}`,
        `${office} ${site("south", 2, "", "{ parent }")} ${site("north", 1, db('formerly: { site: south, key: "db" }'))}`,
      ];
      for (const [index, program] of programs.entries()) {
        expect(await own.up(program)).toMatchObject({ code: 0, errors: [] });
        const ofShares = own.writes().filter((write) => write.includes("/ipsec-shares"));
        expect(ofShares.map((write) => write.split(" ")[0])).toEqual([index === 0 ? "POST" : "PATCH"]);
      }
    },
  );

  it.each([
    [dynamicClasses, 'frontdoor.getTunnel({ id: "tnl-none" }).then(console.log);'],
    [dynamicClasses, 'frontdoor.getSampleConfig({ id: pulumi.output("tnl-none") });'],
    [pluginClasses, 'frontdoor.getTunnel({ id: "tnl-none" }).then(console.log);'],
    [pluginClasses, 'frontdoor.getTunnelOutput({ id: pulumi.output("tnl-none") });'],
  ])("a function of %s that finds nothing fails in one line: %s", async (imports, call) => {
    stack.imports = imports;
    const { code, text } = await stack.preview(call);
    expect(code).not.toBe(0);
    expect(text).toMatch(/error: IPsec tunnel tnl-none: front door fd-1 has no resource of this kind with this id/);
    for (const word of ["    at ", "unhandled"]) expect(text).not.toContain(word);
  });
});
