import * as dynamic from "../../sdk";
import * as plugin from "../../sdk/plugin";
import { classesOf, mockEngine, registered, resolved } from "./registered";

const types = {
  dynamic: "pulumi-nodejs:dynamic/frontdoor:IpsecTunnelConnection",
  plugin: "frontdoor:index:IpsecTunnelConnection",
};

beforeAll(mockEngine);
beforeEach(() => {
  registered.length = 0;
});

describe.each(["dynamic", "plugin"] as const)("IpsecTunnelConnection of the %s classes", (family) => {
  const { IpsecTunnel, IpsecTunnelConnection } = classesOf[family];

  it("hands its arguments to the engine under its own type", async () => {
    const tunnel = new IpsecTunnel("hq", { peerPublicIp: "203.0.113.7", peerCidr: "10.20.0.0/16" });
    const connection: unknown = new IpsecTunnelConnection("hq-up", { tunnelId: tunnel.id });
    if (!IpsecTunnelConnection.isInstance(connection)) throw new Error("it is none");
    expect(await resolved(connection.tunnelId)).toBe("id-hq");
    expect(registered.at(-1)).toMatchObject({ type: types[family], name: "hq-up", inputs: { tunnelId: "id-hq" } });
    expect(IpsecTunnel.isInstance(connection)).toBe(false);
  });
});

it("the dynamic class names its provider and hands on its timeouts", async () => {
  const customTimeouts = { create: "10m" };
  await resolved(new dynamic.IpsecTunnelConnection("up", { tunnelId: "tnl-1" }, { customTimeouts }).id);
  const { inputs } = registered[0] ?? {};
  expect(inputs?.["__provider"]).toMatch(/require\("pulumi-frontdoor\/dynamic"\)\.tunnelConnection\(\)/);
  expect(inputs?.["__timeouts"]).toEqual(customTimeouts);
});

it("the plugin's is read by the id of its tunnel", async () => {
  await resolved(plugin.IpsecTunnelConnection.get("up", "tnl-1").id);
  expect(registered).toEqual([{ ...registered[0], type: types.plugin, inputs: {}, id: "tnl-1" }]);
});
