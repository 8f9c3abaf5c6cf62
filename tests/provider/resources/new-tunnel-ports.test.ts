import { CheckRequest, ConfigureRequest } from "@pulumi/pulumi/proto/provider_pb";
import { silent, unknownText } from "../../../provider/engine/engine";
import { DynamicAdapter } from "../../../provider/dynamic/adapter";
import { PluginAdapter } from "../../../provider/plugin/adapter";
import { encoded } from "../../../provider/plugin/server";
import { Resource } from "../../../provider/lifecycle/lifecycle";
import { openWorld, type World } from "../world";

const tunnel = "urn:pulumi:test::office::frontdoor:index:IpsecTunnel::hq";
const urnOf = (type: string, name: string) => `urn:pulumi:test::office::frontdoor:index:${type}::${name}`;
const common = { ipsecTunnelId: unknownText, envZId: "env-1", __tunnel: tunnel };
const single = (ingressPort: number, more: object = {}) => ({
  ...common,
  target: "web.internal:443",
  ingressPort,
  ...more,
});
const set = (shares: object, more: object = {}) => ({ ...common, shares, ...more });

type Check = (type: "IpsecShare" | "IpsecShareSet", name: string, news: object) => Promise<Checked>;
interface Checked {
  inputs: object;
  told: string[];
}

/** The check of each adapter, as the engine calls it. */
const adapters: Record<string, (world: World) => Check> = {
  plugin: ({ service, config }) => {
    const adapter = new PluginAdapter({ open: () => service, environment: {}, ...silent });
    const { baseUrl } = config;
    adapter.configure(new ConfigureRequest().setArgs(encoded({ baseUrl, frontdoorId: "fd-1", token: "any" })));
    return (type, name, news) => {
      const answer = adapter.check(new CheckRequest().setUrn(urnOf(type, name)).setNews(encoded(news)));
      const told = answer.getFailuresList().map((each) => `${each.getProperty()}: ${each.getReason()}`);
      return Promise.resolve({ inputs: answer.getInputs()?.toJavaScript() ?? {}, told });
    };
  },
  "dynamic provider": ({ service, shares, sets }) => {
    const of = (lifecycle: unknown) => {
      const adapter = new DynamicAdapter<never, never>(() => new Resource(lifecycle as never, service));
      void adapter.configure({ config: { get: () => undefined, require: () => "" } });
      return adapter;
    };
    const both = { IpsecShare: of(shares), IpsecShareSet: of(sets) };
    return async (type, name, news) => {
      const __origin = `organization::${urnOf(type, name)}`;
      const checked = await both[type].check({}, { ...news, __origin });
      return {
        inputs: checked.inputs as object,
        told: (checked.failures ?? []).map(({ property, reason }) => `${property}: ${reason}`),
      };
    };
  },
};

describe.each(Object.keys(adapters))("on a tunnel that does not exist yet, the %s", (adapter) => {
  let world: World;
  let check: Check;
  beforeEach(async () => {
    world = await openWorld();
    const opened = adapters[adapter];
    if (!opened) throw new Error(adapter);
    check = opened(world);
  });
  afterEach(() => world.close());

  it("refuses one port for two shares, and keeps nothing of the tunnel in the inputs", async () => {
    const { inputs, told } = await check("IpsecShare", "web", single(443));
    expect(told).toEqual([]);
    expect(Object.keys(inputs).filter((name) => name.startsWith("__") && name !== "__defaults")).toEqual([]);
    expect((await check("IpsecShare", "api", single(443))).told).toEqual([
      'ingressPort: is also the port of share "web" on the same tunnel. Give one of the two shares another port. [port-twice]',
    ]);
    expect((await check("IpsecShare", "mail", single(25))).told).toEqual([]);
    expect((await check("IpsecShare", "far", single(443, { __tunnel: `${tunnel}-2` }))).told).toEqual([]);
    expect((await check("IpsecShare", "unknown", single(443, { __tunnel: undefined }))).told).toEqual([]);
  });

  it("refuses a port of a set, and the message has the port", async () => {
    expect((await check("IpsecShare", "web", single(443))).told).toEqual([]);
    expect((await check("IpsecShareSet", "more", set({ db: { target: "db:1", ingressPort: 443 } }))).told).toEqual([
      ': shares["db"].ingressPort (443) is also the port of share "web" on the same tunnel. Give one of the two shares another port. [port-twice]',
    ]);
  });

  it("quotes a wrong value in a set, unless it is a secret", async () => {
    const wrong = { target: "web.internal", ingressPort: 443 };
    expect((await check("IpsecShareSet", "one", set({ b: wrong }))).told).toEqual([
      expect.stringMatching(/^: shares\["b"\]\.target \("web\.internal"\) must be host:port/),
    ]);
    const { told } = await check("IpsecShareSet", "two", set({ b: { ...wrong, ingressPort: undefined } }));
    expect(told).toContainEqual(expect.stringMatching(/^: shares\["b"\]\.ingressPort is required/));
  });
});
