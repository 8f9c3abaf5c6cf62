import * as pulumi from "@pulumi/pulumi";
import { tunnelFrom } from "../../sdk";
import { classesOf, resolved } from "./registered";

const tunnelArgs = { peerPublicIp: "203.0.113.7", peerCidr: "10.20.0.0/16", frontdoorId: "fd-1" };
const web = { target: "web.internal:443", ingressPort: 443 };

const called: [string, unknown][] = [];
const mocks: pulumi.runtime.Mocks = {
  newResource: ({ name, inputs }) => ({
    id: `id-${name}`,
    state: { ...(inputs as object), nlbDnsName: "nlb.example", sampleConfig: "psk" },
  }),
  call: ({ token, inputs }) => {
    called.push([token, inputs]);
    return {
      ...{ id: "tnl-1", name: "hq", tunnels: [{ id: "tnl-1" }], shares: [], metrics: { in: 1 } },
      ...{ sampleConfig: "psk", preSharedKey: "psk", state: "available" },
    };
  },
};

jest.setTimeout(20_000);

describe("a unit test with setMocks", () => {
  beforeAll(async () => {
    await pulumi.runtime.setMocks(mocks);
  });
  beforeEach(() => {
    called.length = 0;
  });

  it.each(["dynamic", "plugin"] as const)("makes every class of the %s import", async (family) => {
    const { IpsecShare, IpsecShareSet, IpsecSite, IpsecTunnel, IpsecTunnelConnection } = classesOf[family];
    const tunnel = new IpsecTunnel("hq", tunnelArgs);
    const on = { ipsecTunnelId: tunnel.id, envZId: "env-1" };
    const share = new IpsecShare("web", { ...on, ...web });
    const services = new IpsecShareSet("services", { ...on, shares: { web } });
    const connection = new IpsecTunnelConnection("hq", { tunnelId: tunnel.id });
    const site = new IpsecSite("branch", { ...tunnelArgs, envZId: "env-1", shares: { web } });
    const asSet = new IpsecSite("plant", { ...tunnelArgs, envZId: "env-1", asSet: true, shares: { web } });
    const component = new pulumi.ComponentResource("my:site:Office", "office");
    const inside = new IpsecShare("inside", { ...on, ...web }, { parent: component });
    const ids = [tunnel, share, services, connection, inside].map(({ id }) => resolved(id));
    expect(await Promise.all(ids)).toEqual(["id-hq", "id-web", "id-services", "id-hq", "id-inside"]);
    for (const each of [site, asSet]) expect(await resolved(each.endpoints)).toEqual({ web: "nlb.example:443" });
    const published = await resolved(classesOf[family].publishedTunnel(site));
    expect(published).toEqual(await resolved(classesOf[family].publishedTunnel(site.tunnel)));
    expect(published).toMatchObject({ frontdoorId: "fd-1", tunnelId: "id-branch" });
  });

  it.each(["dynamic", "plugin"] as const)("answers every function of the %s import by the mocks", async (family) => {
    const functions = classesOf[family];
    const id = "tnl-1";
    expect(await functions.getTunnel({ id })).toMatchObject({ name: "hq" });
    expect(await functions.getShare({ name: "hq" })).toMatchObject({ id });
    expect((await functions.getTunnels()).tunnels).toEqual([{ id }]);
    expect((await functions.getShares({ ipsecTunnelId: id })).shares).toEqual([]);
    expect(await functions.getTunnelConfig({ id })).toMatchObject({ state: "available" });
    expect(await functions.getTunnelMetrics({ id })).toEqual({ in: 1 });
    expect(await functions.getShareMetrics({ id })).toEqual({ in: 1 });
    expect(await resolved(functions.getTunnelOutput({ id: pulumi.output(id) }))).toMatchObject({ name: "hq" });
    expect(await resolved(functions.getSharesOutput().shares)).toEqual([]);
    for (const secret of [functions.getSampleConfig({ id }), functions.getPreSharedKey({ id })])
      expect([await resolved(secret), await pulumi.isSecret(secret)]).toEqual(["psk", true]);
    expect([await functions.readSampleConfig({ id }), await functions.readPreSharedKey({ id })]).toEqual([
      "psk",
      "psk",
    ]);
    expect(called.map(([token]) => token)).toEqual(
      ["Tunnel", "Share", "Tunnels", "Shares", "TunnelConfig", "TunnelMetrics", "ShareMetrics"]
        .concat(["Tunnel", "Shares", "SampleConfig", "PreSharedKey", "SampleConfig", "PreSharedKey"])
        .map((name) => `frontdoor:index:get${name}`),
    );
    expect(called[0]?.[1]).toEqual({ id });
  });
});

describe("a Provider of the plugin", () => {
  it("is refused for classes of the default import, which names the other one", () => {
    const provider = new classesOf.plugin.Provider("north", { frontdoorId: "fd-1", token: "t" });
    const { IpsecShare, IpsecSite, IpsecTunnel } = classesOf.dynamic;
    const says =
      /: the default import cannot use a Provider\. .*Import from "pulumi-frontdoor\/plugin"\. \[provider-not-plugin\]$/;
    const share = { ipsecTunnelId: "tnl-1", envZId: "env-1", ...web };
    expect(() => new IpsecTunnel("a", tunnelArgs, { provider })).toThrow(says);
    expect(() => new IpsecShare("b", share, { provider })).toThrow(says);
    for (const opts of [{ provider }, { providers: [provider] }, { providers: { frontdoor: provider } }])
      expect(() => new IpsecSite("c", { ...tunnelArgs, shares: {} }, opts)).toThrow(says);
    expect(() => new classesOf.plugin.IpsecTunnel("d", tunnelArgs, { provider })).not.toThrow();
  });
});

describe.each(["dynamic", "plugin"] as const)("a renamed site of the %s import", (family) => {
  it("gives its children aliases under its previous names", async () => {
    const seen: Record<string, pulumi.CustomResourceOptions> = {};
    const transformation: pulumi.ResourceTransformation = ({ name, opts }) => {
      seen[name] = opts;
      return undefined;
    };
    const aliases = [{ name: "old" }, "urn:pulumi:dev::net::frontdoor:index:IpsecSite::older"];
    const args = { ...tunnelArgs, envZId: "env-1", shares: { web } };
    const site = new classesOf[family].IpsecSite("new", args, { aliases, transformations: [transformation] });
    await resolved(site.endpoints);
    const namesOf = async (child: string) => {
      const own = (seen[child]?.aliases ?? []).filter((each): each is pulumi.Alias => typeof each === "object");
      const named = own.filter(({ parent, type }) => parent !== undefined && type === undefined);
      return Promise.all(named.map(({ name }) => resolved(pulumi.output(name ?? ""))));
    };
    expect(await namesOf("new")).toEqual(["old", "older"]);
    expect(await namesOf("new-web")).toEqual(["old-web", "older-web"]);
  });
});

it.each([
  ["tunel", /has no output "tunel", only region, tunnel\. Did you mean tunnelFrom\(stack, "tunnel"\)\? \[tunnel-not-p/],
  [
    "hq-network",
    /has no output "hq-network", only region, tunnel\. In the program of that stack, export publishedTunnel/,
  ],
  ["region", /has an output "region" that is no published tunnel.*In the program of that stack/],
])("tunnelFrom(stack, %j) names the outputs that exist", async (output, message) => {
  const outputs = { tunnel: { frontdoorId: "fd-1", tunnelId: "tnl-1", nlbDnsName: "nlb.example" }, region: "eu" };
  await pulumi.runtime.setMocks({
    newResource: ({ name, inputs }) => ({ id: name, state: { ...(inputs as object), outputs } }),
    call: () => ({}),
  });
  const network = new pulumi.StackReference(`organization/network/${output}`);
  const found = tunnelFrom(network, output) as unknown as Record<"isKnown" | "isSecret", Promise<unknown>> &
    Record<"promise" | "allResources", () => Promise<unknown>>;
  // Each of the output's promises fails.
  for (const promise of [found.isKnown, found.isSecret, found.allResources()]) promise.catch(() => undefined);
  await expect(found.promise()).rejects.toThrow(message);
});

it("tunnelFrom takes no secret from the other outputs of the stack", async () => {
  const tunnel = { frontdoorId: "fd-1", tunnelId: "tnl-1", nlbDnsName: "nlb.example" };
  const outputs = pulumi.secret({ tunnel, sampleConfig: "psk" });
  await pulumi.runtime.setMocks({
    newResource: ({ name, inputs }) => ({
      id: name,
      state: { ...(inputs as object), outputs, secretOutputNames: ["sampleConfig"] },
    }),
    call: () => ({}),
  });
  const found = tunnelFrom(new pulumi.StackReference("organization/network/secret"));
  expect(await resolved(found)).toEqual(tunnel);
  expect(await pulumi.isSecret(found)).toBe(false);
});
