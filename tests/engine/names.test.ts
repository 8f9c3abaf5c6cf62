import { Stack } from "../harness/stack";

const share = { ipsecTunnelId: "tnl-1", envZId: "env-1", target: "web.internal:443", ingressPort: 443 };

describe("derived names", () => {
  let stack: Stack;
  /** Logical names are only unique within a type and the types of the parents. */
  const program = (more = "") => `
    const share = ${JSON.stringify(share)};
    new frontdoor.IpsecShare("x", share);
    for (const [index, type] of ["my:site:Office", "my:site:Plant"].entries()) {
      const parent = new pulumi.ComponentResource(type, type);
      new frontdoor.IpsecShare("x", { ...share, ingressPort: 8443 + index }, { parent });
    }
    ${more}`;

  beforeAll(async () => {
    stack = await Stack.open();
    stack.emulator.seedTunnel({ id: "tnl-1" });
    expect(await stack.up(program())).toMatchObject({ code: 0, errors: [] });
    stack.writes();
  });
  afterAll(() => stack.close());

  it("differ between components, and cannot be given to another resource: the preview names both", async () => {
    const [name, ...others] = stack.emulator.shares().map((each) => each.name);
    expect(new Set([name, ...others]).size).toBe(3);
    const run = await stack.preview(
      program(`new frontdoor.IpsecShare("second", { ...share, name: "${name ?? ""}" });`),
    );
    expect(run.code).not.toBe(0);
    for (const each of ["x", "second"]) expect(run.errors.join("\n")).toMatch(new RegExp(`["' ]${each}["' ]`));
    expect(stack.writes()).toEqual([]);
  });

  it("stay as they are when the stack is renamed, and then its project", async () => {
    await stack.rename("prod");
    expect(await stack.preview(program(), "--expect-no-changes")).toMatchObject({ code: 0 });
    await stack.rename("prod", "branch-offices");
    expect(await stack.up(program(), "--refresh", "--expect-no-changes")).toMatchObject({ code: 0, errors: [] });
    expect(stack.writes()).toEqual([]);
  });
});

it("a name that a stack transformation gives is a chosen one: nothing of that name is taken over", async () => {
  const stack = await Stack.open();
  try {
    const hq = { peerPublicIp: "203.0.113.7", peerCidr: "10.20.0.0/16", locationId: "loc-1" };
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
  } finally {
    await stack.close();
  }
});
