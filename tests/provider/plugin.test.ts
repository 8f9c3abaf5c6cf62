import {
  CheckRequest,
  ConfigureRequest,
  CreateRequest,
  UpdateRequest,
  DiffRequest,
  DiffResponse,
} from "@pulumi/pulumi/proto/provider_pb";
import { Struct } from "google-protobuf/google/protobuf/struct_pb";
import { Host, unknownText } from "../../provider/host/host";
import {
  checkedConfiguration,
  diffOfConfiguration,
  PluginAdapter,
  propertiesOf,
  structOf,
} from "../../provider/host/plugin";
import { openShareWorld, type ShareWorld } from "../harness/world";
import { UNKNOWN } from "../../provider/fields/field";

const settingsOf = (settings: object, secrets: string[] = []) =>
  new ConfigureRequest().setArgs(structOf(settings, secrets));

describe("the preview of a set", () => {
  const setUrn = "urn:pulumi:test::office::frontdoor:index:IpsecShareSet::services";
  const web = { target: "web.internal:443", ingressPort: 443 };
  const db = { target: "db.internal:5432", ingressPort: 5432 };

  it.each([
    ["one changed target", { web: { ...web, target: "b.internal:443" }, db }, "nlb.example", [443, 5432]],
    ["a port that is not known", { web, db: { ...db, ingressPort: UNKNOWN } }, "nlb.example", [443, UNKNOWN]],
    ["a host that is not known", { web, db }, UNKNOWN, [UNKNOWN, UNKNOWN]],
  ] as const)("knows the endpoints as far as each is known: %s", async (_what, changed, host, ports) => {
    const { world, tunnelId } = await openShareWorld();
    const adapter = new PluginAdapter(() => new Host(world.service), {});
    adapter.configure(settingsOf({ baseUrl: world.config.baseUrl, frontdoorId: "fd-1", token: "any" }));
    const program = (shares: object, nlbDnsName: unknown) =>
      structOf({ ipsecTunnelId: tunnelId, envZId: "env-1", nlbDnsName, shares });
    const checked = await adapter.check(new CheckRequest().setUrn(setUrn).setNews(program({ web, db }, "nlb.example")));
    const made = await adapter.create(new CreateRequest().setUrn(setUrn).setProperties(checked.getInputs()));
    const olds = made.getProperties();
    const again = new CheckRequest().setUrn(setUrn).setOlds(checked.getInputs()).setNews(program(changed, host));
    const news = (await adapter.check(again)).getInputs();
    const update = new UpdateRequest().setUrn(setUrn).setId(made.getId()).setOlds(olds).setNews(news).setPreview(true);
    const shown = (await adapter.update(update)).getProperties()?.toJavaScript() ?? {};
    const at = (port: unknown) => (port === UNKNOWN ? unknownText : `nlb.example:${String(port)}`);
    expect(shown["endpoints"]).toEqual({ web: at(ports[0]), db: at(ports[1]) });
  });
});

describe("a second configuration of the same process", () => {
  const settings = { baseUrl: "https://gateway.example.com/frontdoor", frontdoorId: "fd-1", token: "any" };
  const opened: string[] = [];
  let world: ShareWorld;
  let adapter: PluginAdapter;
  beforeEach(async () => {
    world = await openShareWorld();
    opened.length = 0;
    const open = ({ baseUrl }: { baseUrl: string }) => (opened.push(baseUrl), new Host(world.world.service));
    adapter = new PluginAdapter(open, { FRONTDOOR_TOKEN: "canary" });
    adapter.configure(settingsOf(settings, ["token"]));
  });

  it("is accepted if it is identical, and opens nothing", () => {
    const { token, frontdoorId, baseUrl } = settings;
    expect(adapter.configure(settingsOf({ token, frontdoorId, baseUrl }, ["token"])).getAcceptsecrets()).toBe(true);
    expect(opened).toEqual([settings.baseUrl]);
  });

  it.each<[string, object, string[]]>([
    ["another address", { ...settings, baseUrl: "https://evil.example.com/frontdoor" }, ["token"]],
    ["no token of its own", { baseUrl: settings.baseUrl, frontdoorId: "fd-1" }, []],
    ["a secret in the clear", settings, []],
  ])("is refused with %s, and opens nothing", (_what, others, secrets) => {
    expect(() => adapter.configure(settingsOf(others, secrets))).toThrow("[configured-twice]");
    expect(opened).toEqual([settings.baseUrl]);
  });
});

const containing = (text: string) => expect.stringContaining(text) as unknown;

const check = (settings: object, environment: NodeJS.ProcessEnv = {}, name = "default") => {
  const request = new CheckRequest()
    .setNews(structOf(settings))
    .setUrn(`urn:pulumi:test::office::pulumi:providers:frontdoor::${name}`);
  const response = checkedConfiguration(request, environment);
  const failures = response.getFailuresList().map((each) => [each.getProperty(), each.getReason()]);
  return { failures: Object.fromEntries(failures) as Record<string, string>, inputs: response.getInputs() };
};

describe("the configuration of a provider", () => {
  it("passes where it is right, its secrets marked as such", () => {
    const { failures, inputs } = check({ token: "t", version: "0.1.0", requestTimeout: "20" });
    expect(failures).toEqual({});
    expect(propertiesOf(inputs)).toEqual({
      values: { token: "t", version: "0.1.0", requestTimeout: "20" },
      secrets: ["token"],
      secretPaths: ["token"],
      hidden: {},
    });
  });

  it("is completed by the environment, which never gets among its inputs", () => {
    const { failures, inputs } = check({ frontdoorId: "fd-1" }, { FRONTDOOR_TOKEN: "outside" });
    expect(failures).toEqual({});
    expect(propertiesOf(inputs).values).toEqual({ frontdoorId: "fd-1" });
  });

  it("is refused setting by setting", () => {
    const { failures } = check({
      baseUrl: "http://example.com/frontdoor",
      requestTimeout: "0",
      clientId: "a",
      fontdoorId: "b",
    });
    expect(failures).toEqual({
      baseUrl: containing("must begin with https://"),
      requestTimeout: containing("must be greater than 0"),
      tokenUrl: containing("[credentials-incomplete]"),
      fontdoorId: containing(
        "frontdoor:fontdoorId is no setting of the provider. Nothing was sent. Write frontdoor:frontdoorId instead.",
      ),
    });
  });

  it.each([
    ["default_0_1_0", "stack configuration"],
    ["east", 'requestTimeout of Provider "east"'],
  ])("names the place of a wrong setting: of the provider %s", (name, place) => {
    const { failures } = check({ token: "t", requestTimeout: "0" }, {}, name);
    expect(failures).toEqual({ requestTimeout: containing(`frontdoor:requestTimeout (${place}) must be greater`) });
  });

  it("is refused without a secret's value, which the engine shows beside the setting's name", () => {
    const { failures } = check({
      token: "hush\n",
      tokenUrl: "https://example.com/t",
      clientId: "c",
      clientSecret: "s",
    });
    expect(Object.keys(failures)).toEqual([""]);
    expect(failures[""]).toMatch(/^token \(a secret\): .*/);
    expect(JSON.stringify(failures)).not.toContain("hush");
  });

  it("is refused without the content of a credentials file that is given as its path", () => {
    const { failures } = check({ credentialsFile: '{"password":"hush"}' });
    expect(failures).toEqual({ "": containing("[credentials-file]") });
    expect(JSON.stringify(failures)).not.toContain("hush");
  });

  it("takes true and false as an SDK sends them", () => {
    expect(check({ token: "t", oneTunnelPerLocation: false }).failures).toEqual({});
    expect(check({ token: "t", oneTunnelPerLocation: "no" }).failures).toEqual({
      oneTunnelPerLocation: containing("must be true or false"),
    });
  });

  it("passes as far as it is not known yet", () => {
    expect(check({ token: UNKNOWN, requestTimeout: "0" }).failures).toEqual({
      requestTimeout: containing("must be greater than 0"),
    });
  });
});

describe("a change of the configuration", () => {
  const diff = (olds: object, news: object) => {
    const request = new DiffRequest().setOldInputs(structOf(olds)).setNews(structOf(news));
    const response = diffOfConfiguration(request);
    const { DIFF_SOME } = DiffResponse.DiffChanges;
    return {
      isChange: response.getChanges() === DIFF_SOME,
      changed: response.getDiffsList(),
      detailed: [...response.getDetaileddiffMap().keys()],
      replaces: response.getReplacesList(),
    };
  };

  it("is told by setting, and replaces no provider", () => {
    const [before, after] = [
      { token: "a", frontdoorId: "fd-1" },
      { token: "b", frontdoorId: "fd-2" },
    ];
    const changed = ["frontdoorId", "token"];
    expect(diff(before, after)).toEqual({ isChange: true, changed, detailed: changed, replaces: [] });
    expect(diff(before, before)).toEqual({ isChange: false, changed: [], detailed: [], replaces: [] });
    expect(diff({}, { token: UNKNOWN })).toMatchObject({ isChange: true, changed: ["token"], replaces: [] });
  });

  it("is one of the plugin's version alone to nobody", () => {
    expect(diff({ version: "0.1.0" }, { version: "0.2.0" }).isChange).toBe(false);
  });

  it("is read from the outputs by an engine that sends no old inputs", () => {
    const request = new DiffRequest().setOlds(Struct.fromJavaScript({ token: "a" })).setNews(structOf({ token: "a" }));
    expect(diffOfConfiguration(request).getDiffsList()).toEqual([]);
  });
});

const unknown = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

const secret = <T>(value: T) => ({
  "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270",
  value,
});

describe("properties as the engine spells them", () => {
  it("are read with unknowns and secrets apart, wherever they are", () => {
    const struct = Struct.fromJavaScript({
      ...{ name: "web", ingressPort: 443, locationId: null, target: unknown },
      envZId: secret("env-1"),
      ipsecTunnelId: secret(unknown),
      filters: ["a", unknown, secret("b")],
      nested: { here: { there: secret(1) } },
    });
    expect(propertiesOf(struct)).toEqual({
      values: {
        ...{ name: "web", ingressPort: 443, locationId: null, target: UNKNOWN },
        ...{ envZId: "env-1", ipsecTunnelId: UNKNOWN, filters: ["a", UNKNOWN, "b"], nested: { here: { there: 1 } } },
      },
      secrets: ["envZId", "filters", "ipsecTunnelId", "nested"],
      secretPaths: ["envZId", "filters", "ipsecTunnelId", 'nested["here"].there'],
      hidden: {},
    });
  });

  it("are written so, and what is undefined is left out", () => {
    const values = {
      name: "web",
      locationId: undefined,
      envZId: "env-1",
      ipsecTunnelId: UNKNOWN,
      list: [UNKNOWN, { a: 1 }],
    };
    expect(structOf(values, ["envZId", "ipsecTunnelId", "locationId"]).toJavaScript()).toEqual({
      ...{ name: "web", envZId: secret("env-1"), ipsecTunnelId: secret(unknown) },
      list: [unknown, { a: 1 }],
    });
  });

  it("are only the core's if the state of a dynamic resource has others", () => {
    const struct = Struct.fromJavaScript({
      name: "web",
      __provider: "text",
      __timeouts: {},
      __secrets: [],
      __set: ["a"],
    });
    expect(propertiesOf(struct).values).toEqual({ name: "web", __set: ["a"] });
  });
});
