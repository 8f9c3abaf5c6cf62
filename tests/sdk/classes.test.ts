import * as pulumi from "@pulumi/pulumi";
import { version } from "../../package.json";
import { functionTable } from "../../provider/functions/table";
import * as dynamic from "../../sdk";
import * as plugin from "../../sdk/plugin";
import { classesOf, mockEngine, optionsOf, registered, resolved } from "./registered";

const tunnelArgs = { peerPublicIp: "203.0.113.7", peerCidr: "10.20.0.0/16" };
const shareArgs = { ipsecTunnelId: "tnl-1", target: "db.internal:5432", ingressPort: 5432 };
const wholeShare = { ...shareArgs, envZId: "env-1" };
const types = {
  dynamic: ["pulumi-nodejs:dynamic/frontdoor:IpsecTunnel", "pulumi-nodejs:dynamic/frontdoor:IpsecShare"],
  plugin: ["frontdoor:index:IpsecTunnel", "frontdoor:index:IpsecShare"],
};

beforeAll(mockEngine);
beforeEach(() => {
  registered.length = 0;
});

/** Arguments as they reach the engine, without those that the dynamic provider hides. */
const given = ({ inputs }: { inputs: Record<string, unknown> }) =>
  Object.fromEntries(
    Object.entries(inputs).filter(([key]) => !/^__(provider|origin|isUp|secrets|timeouts)$/.test(key)),
  );

describe.each(["dynamic", "plugin"] as const)("the %s classes", (provider) => {
  const { IpsecShare, IpsecSite, IpsecTunnel } = classesOf[provider];

  it("hand the same arguments to the engine, each under its own type", async () => {
    const tunnel = new IpsecTunnel("hq", tunnelArgs);
    const share = new IpsecShare("db", { ...shareArgs, ipsecTunnelId: tunnel.id, envZId: "env-1" });
    await resolved(share.id);
    expect(registered.map(({ type, name }) => [type, name])).toEqual([
      [types[provider][0], "hq"],
      [types[provider][1], "db"],
    ]);
    expect(registered.map(given)).toEqual([tunnelArgs, { ...shareArgs, ipsecTunnelId: "id-hq", envZId: "env-1" }]);
  });

  it("keep the sample configuration secret, and know their own", async () => {
    const tunnel: unknown = new IpsecTunnel("hq", tunnelArgs);
    expect([IpsecTunnel.isInstance(tunnel), IpsecShare.isInstance(tunnel)]).toEqual([true, false]);
    if (!IpsecTunnel.isInstance(tunnel)) throw new Error("it is none");
    expect(await pulumi.isSecret(tunnel.sampleConfig)).toBe(true);
    const options = optionsOf(
      (opts) =>
        new IpsecTunnel("other", tunnelArgs, { ...opts, additionalSecretOutputs: ["peerCidr"], deletedWith: tunnel }),
    );
    expect(options.additionalSecretOutputs).toEqual(["peerCidr", "sampleConfig"]);
    expect(options).not.toHaveProperty("deletedWith");
  });

  it("take either spelling of the environment, in options too, and leave deletedWith out", async () => {
    const deletedWith = new IpsecTunnel("hq", tunnelArgs);
    const spelled = { ignoreChanges: ["envId"], replaceOnChanges: ["envId"], additionalSecretOutputs: ["envId"] };
    const make = (opts: pulumi.CustomResourceOptions) =>
      new IpsecShare("db", { ...shareArgs, envId: "env-1" }, { ...opts, ...spelled, deletedWith });
    expect(optionsOf(make)).toMatchObject({
      ignoreChanges: ["envZId"],
      replaceOnChanges: ["envZId"],
      additionalSecretOutputs: ["envZId"],
    });
    expect(optionsOf(make)).not.toHaveProperty("deletedWith");
    await resolved(make({}).id);
    const both = { envId: "env-1", envZId: "env-1", __bothSpellings: true };
    expect(registered.map(given)).toContainEqual({ ...shareArgs, ...both });
  });

  it("make a site of their own kind, with one type and the same names", async () => {
    const site = new IpsecSite("branch", {
      ...tunnelArgs,
      envZId: "env-1",
      shares: { web: { target: "web.internal:443", ingressPort: 443 } },
    });
    const { endpoints, tunnel, shares } = site;
    await resolved(endpoints);
    expect([IpsecSite.isInstance(site), IpsecSite.isInstance(tunnel)]).toEqual([true, false]);
    expect(registered.map(({ type, name }) => [type, name])).toEqual([
      ["frontdoor:index:IpsecSite", "branch"],
      [types[provider][0], "branch"],
      [types[provider][1], "branch-web"],
    ]);
    expect([IpsecTunnel.isInstance(tunnel), IpsecShare.isInstance(shares["web"])]).toEqual([true, true]);
  });

  it("publish a tunnel to other stacks", async () => {
    const tunnel = new IpsecTunnel("hq", { ...tunnelArgs, frontdoorId: "fd-1", locationId: "loc-1" });
    const published = await resolved(classesOf[provider].publishedTunnel(tunnel));
    expect(published).toMatchObject({ frontdoorId: "fd-1", tunnelId: "id-hq" });
  });
});

describe.each(["dynamic", "plugin"] as const)("get of the %s classes", (family) => {
  const { IpsecShare, IpsecTunnel } = classesOf[family];

  it("reads what exists, and hands the engine nothing but what finds the provider", async () => {
    const tunnel = IpsecTunnel.get("hq", "tnl-1");
    const share = IpsecShare.get("db", "fd-1/shr-1");
    await Promise.all([resolved(tunnel.urn), resolved(share.urn)]);
    const keys = family === "plugin" ? [] : ["__provider"];
    const [ofTunnel, ofShare] = types[family];
    expect(registered.map(({ type, id, inputs }) => [type, id, Object.keys(inputs)]).sort()).toEqual([
      [ofShare, "fd-1/shr-1", keys],
      [ofTunnel, "tnl-1", keys],
    ]);
    expect(await pulumi.isSecret(tunnel.sampleConfig)).toBe(true);
    expect([IpsecTunnel.isInstance(tunnel), IpsecShare.isInstance(share)]).toEqual([true, true]);
  });
});

describe("the plugin's classes", () => {
  const { IpsecShare, IpsecTunnel } = plugin;

  it("hide nothing among the arguments, but that the program does not run for a preview", async () => {
    await resolved(new IpsecTunnel("hq", tunnelArgs, { customTimeouts: { create: "5m" } }).id);
    expect(registered.map(({ inputs }) => inputs)).toEqual([{ ...tunnelArgs, __isUp: true }]);
  });

  it("ask for the plugin of their version, and are those of the dynamic type too, under the program's own aliases as well", () => {
    const options = optionsOf((opts) => new IpsecTunnel("hq", tunnelArgs, { ...opts, aliases: [{ name: "old" }] }));
    const type = "pulumi-nodejs:dynamic/frontdoor:IpsecTunnel";
    expect(options.aliases).toEqual([{ name: "old" }, { name: "old", type }, { type }]);
    expect(options.version).toBe(version);
    expect(options).not.toHaveProperty("pluginDownloadURL");
    expect(optionsOf((opts) => new IpsecShare("db", wholeShare, opts)).aliases).toEqual([
      { type: "pulumi-nodejs:dynamic/frontdoor:IpsecShare" },
    ]);
  });

  it("can import; the dynamic ones say what to do instead", () => {
    expect(() => new dynamic.IpsecTunnel("hq", tunnelArgs, { import: "tnl-1" })).toThrow('adopt: "tnl-1"');
  });
});

it("the dynamic provider and the plugin have the functions of the table", () => {
  const functions = (of: object) => Object.keys(of).filter((name) => name.startsWith("get"));
  expect(functions(plugin)).toEqual(functions(dynamic));
  const promised = functions(plugin).filter((name) => !name.endsWith("Output"));
  expect(promised.sort()).toEqual(Object.keys(functionTable).sort());
});
