import { startEmulator } from "../../emulator";
import { Stack } from "../harness/stack";

const share = { ipsecTunnelId: "tnl-1", envZId: "env-1", target: "web.internal:443", ingressPort: 443 };
const port = (ingressPort: number, given: object = {}) => ({ ...share, ingressPort, ...given });

describe("derived names", () => {
  it("differ where project, stack and component differ, whatever they are put together to", async () => {
    const emulator = await startEmulator({ duplicateIngressPort: "allowed", provisionMs: 100, token: "a-token" });
    emulator.seedTunnel({ id: "tnl-1" });
    const one = await Stack.on(emulator, { project: "a-b", stack: "c" });
    const other = await Stack.on(emulator, { project: "a", stack: "b-c" });
    // Both on one machine: one record of both.
    other.env["FRONTDOOR_STATE_DIR"] = one.env["FRONTDOOR_STATE_DIR"] = one.folder;
    try {
      // Logical names are only unique within a type and the types of its parents.
      const program = `
        const share = ${JSON.stringify(share)};
        new frontdoor.IpsecShare("x", share);
        for (const type of ["my:site:Office", "my:site:Plant"]) {
          const parent = new pulumi.ComponentResource(type, type);
          new frontdoor.IpsecShare("x", share, { parent });
        }`;
      for (const stack of [one, other]) expect((await stack.up(program)).text).not.toContain("error:");
      expect(emulator.shares()).toHaveLength(6);
      expect(new Set(emulator.shares().map(({ name }) => name)).size).toBe(6);
    } finally {
      one.forget();
      other.forget();
      await emulator.close();
    }
  });
});

describe("a name that a transformation gives", () => {
  // A transform of the whole stack (registerResourceTransform) is the engine's too, but this language host can't register one.
  it.each([
    ["a stack transformation", "pulumi.runtime.registerStackTransformation(named);", ""],
    ["a transform of the resource", "", "{ transforms: [named] }"],
  ])("is a chosen one: with %s nothing of that name is taken over", async (_, register, options) => {
    const stack = await Stack.open();
    try {
      stack.emulator.seedTunnel({ id: "tnl-1", locationId: "loc-other" });
      const hq = { peerPublicIp: "203.0.113.7", peerCidr: "10.20.0.0/16", locationId: "loc-1" };
      stack.emulator.seedShare({ ...share, id: "shr-foreign", name: "theirs", locationId: "loc-other" });
      stack.emulator.seedTunnel({ ...hq, id: "tnl-foreign", name: "theirs" });
      // Even where likeness is enough for derived names.
      stack.env["FRONTDOOR_TAKE_OVER"] = "alike";
      const run = await stack.up(
        `
          const named = ({ props, opts }) => ({ props: { ...props, name: "theirs" }, opts });
          ${register}
          new frontdoor.IpsecShare("web", ${JSON.stringify(share)}, ${options});
          new frontdoor.IpsecTunnel("hq", ${JSON.stringify(hq)}, ${options});`,
        "--continue-on-error",
      );
      expect(run.code).not.toBe(0);
      expect(run.errors.join("\n")).toContain("shr-foreign");
      expect(run.errors.join("\n")).toContain("tnl-foreign");
      expect(stack.kept()).toEqual({});
      expect(stack.writes()).toEqual([]);
    } finally {
      await stack.close();
    }
  });
});

describe("two resources of one name on one front door", () => {
  let stack: Stack;
  const hq = { peerPublicIp: "203.0.113.7", peerCidr: "10.20.0.0/16", locationId: "loc-2" };

  const expectRefused = async (resources: object) => {
    const run = await stack.preview(resources);
    expect(run.code).not.toBe(0);
    const errors = run.errors.join("\n");
    for (const name of ["first", "second"]) expect(errors).toMatch(new RegExp(`["' ]${name}["' ]`));
    expect(stack.writes()).toEqual([]);
  };

  beforeAll(async () => {
    stack = await Stack.open({ tokens: { "very-secret-token": ["*"] } });
    stack.emulator.seedTunnel({ id: "tnl-1", locationId: "loc-1" });
    stack.emulator.seedTunnel({ id: "tnl-2", frontdoorId: "fd-2", locationId: "loc-1" });
  });
  afterAll(() => stack.close());

  it("are refused at preview where both are given it", async () => {
    await expectRefused({ shares: { first: port(1, { name: "same" }), second: port(2, { name: "same" }) } });
    const tunnel = { ...hq, name: "same" };
    await expectRefused({ tunnels: { first: tunnel, second: { ...tunnel, locationId: "loc-3" } } });
  });

  it("are fine as a tunnel and a share, and on two front doors", async () => {
    const elsewhere = port(1, { name: "same", frontdoorId: "fd-2", ipsecTunnelId: "tnl-2" });
    const resources = {
      tunnels: { hq: { ...hq, name: "same" } },
      shares: { first: port(1), same: port(3, { name: "same" }), elsewhere },
    };
    expect((await stack.steadyUp(resources)).text).not.toContain("error:");
    expect(Object.keys(stack.kept()).sort()).toEqual(["elsewhere", "first", "hq", "same"]);
    stack.writes();
  });

  it("are refused at preview where one is given what the other derives", async () => {
    const name = stack.kept()["first"]?.outputs["name"];
    await expectRefused({ shares: { first: port(1), second: port(2, { name }) } });
  });
});
