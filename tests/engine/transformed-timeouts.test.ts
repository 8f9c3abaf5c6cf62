import { pluginClasses } from "../harness/plugin";
import { Stack } from "../harness/stack";

const slowMs = 600_000;

describe("customTimeouts that a stack transformation sets for the plugin", () => {
  let stack: Stack;
  const program = (target: string, withShort = true) => `
    const short = { customTimeouts: { create: "2s", update: "2s", delete: "2s" } };
    const shorten = ({ props, opts }) => ({ props, opts: pulumi.mergeOptions(opts, short) });
    if (${withShort}) pulumi.runtime.registerStackTransformation(shorten);
    new frontdoor.IpsecShare("web", { ipsecTunnelId: "tnl-1", envZId: "env-1", target: "${target}", ingressPort: 443 });
    new frontdoor.IpsecTunnel("hq", { peerPublicIp: "203.0.113.7", peerCidr: "10.20.0.0/16", locationId: "loc-2" });`;

  /** It fails with these messages, however late a busy machine is; without them nothing would end while the test waits. */
  const expectTimedOut = ({ code, errors }: { code: number; errors: string[] }, ...resources: string[]) => {
    expect(code).not.toBe(0);
    for (const name of resources)
      expect(errors.filter((error) => error.startsWith(`${name}: `) && / after \d+ s/.test(error))).toHaveLength(1);
  };
  const ready = () => {
    for (const name of ["web", "hq"]) stack.emulator.setStatus(stack.id(name), "DEPLOYED");
  };

  beforeAll(async () => {
    stack = await Stack.open({ teardownMs: slowMs }, { imports: pluginClasses });
    stack.emulator.seedTunnel({ id: "tnl-1", locationId: "loc-1" });
  });
  afterAll(() => stack.close());

  it("end a create", async () => {
    stack.emulator.settings.provisionMs = slowMs;
    expectTimedOut(await stack.up(program("web.internal:443")), "web", "hq");
    ready();
    expect(await stack.up(program("web.internal:443"))).toMatchObject({ code: 0 });
  });

  it("end an update", async () => {
    expectTimedOut(await stack.up(program("web2.internal:443")), "web");
    ready();
    stack.emulator.settings.provisionMs = 100;
    expect(await stack.up(program("web2.internal:443"))).toMatchObject({ code: 0 });
    // By themselves they are no change.
    expect(await stack.preview(program("web2.internal:443", false), "--expect-no-changes")).toMatchObject({ code: 0 });
  });

  it("end a delete", async () => {
    expectTimedOut(await stack.destroy(), "web", "hq");
  });
});
