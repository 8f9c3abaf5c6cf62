import { pluginClasses } from "../harness/plugin";
import { Stack } from "../harness/stack";

const tunnel = { peerPublicIp: "203.0.113.7", peerCidr: "10.20.0.0/16", locationId: "loc-1" };
const share = { ipsecTunnelId: "tnl-1", envZId: "env-1", target: "web.internal:443", ingressPort: 443 };

const program = (id = "tnl-1") => `
  const tunnel = frontdoor.IpsecTunnel.get("hq", "${id}");
  const share = frontdoor.IpsecShare.get("web", "fd-1/shr-1");
  exports.told = pulumi.all([tunnel.peerCidr, tunnel.frontdoorId, share.ingressPort, tunnel.id]);
  exports.sample = tunnel.sampleConfig;`;

describe.each(["pulumi-frontdoor", pluginClasses])("get of %s", (imports) => {
  let stack: Stack;
  const told = async () => JSON.parse((await stack.run("stack", "output", "--json")).text) as unknown;
  beforeAll(async () => {
    stack = await Stack.open({}, { imports });
    stack.emulator.seedTunnel({ id: "tnl-1", ...tunnel });
    stack.emulator.seedShare({ id: "shr-1", ...share });
  });
  afterAll(() => stack.close());

  it("reads a tunnel and a share that are managed elsewhere, in a preview too", async () => {
    expect(await stack.preview(program())).toMatchObject({ code: 0, errors: [] });
    expect(await stack.up(program())).toMatchObject({ code: 0, errors: [] });
    expect(await told()).toEqual({ told: ["10.20.0.0/16", "fd-1", 443, "tnl-1"], sample: "[secret]" });
    expect(stack.stateText()).not.toContain(stack.emulator.samplePsk("tnl-1"));
  });

  it("shows what has changed, in the next up and in a refresh, and writes nothing", async () => {
    stack.emulator.patchShare("shr-1", { ingressPort: 8443 });
    expect(await stack.up(program())).toMatchObject({ code: 0, errors: [] });
    expect(await told()).toMatchObject({ told: expect.arrayContaining([8443]) as unknown });
    expect(await stack.refresh()).toMatchObject({ code: 0, errors: [] });
    expect(stack.calls()).toEqual([]);
  });

  it("says which kind and front door do not have the id", async () => {
    const { code, errors } = await stack.preview(program("tnl-none"));
    expect(code).not.toBe(0);
    expect(errors.join("\n")).toContain(
      "IPsec tunnel tnl-none: front door fd-1 has no resource with this id. Correct the id. [not-found]",
    );
  });

  it("leaves them to their owner in a destroy", async () => {
    expect(await stack.destroy()).toMatchObject({ code: 0, errors: [] });
    expect([stack.calls(), stack.alive()]).toEqual([[], ["shr-1", "tnl-1"]]);
  });
});
