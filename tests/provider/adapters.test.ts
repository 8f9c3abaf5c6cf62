import "../harness/unwatched";
import type { dynamic } from "@pulumi/pulumi";
import { UNKNOWN as notKnown } from "../../provider/fields/field";
import { durationSeconds } from "../../provider/time";
import { handlers } from "../../provider/host/dynamic";
import { isWatched, progressLines, watchEngine } from "../../provider/host/engine";
import { type World, openWithTunnel, port, openShareWorld, type ShareWorld } from "../harness/world";
import { dynamicAdapter, pluginAdapter } from "../model/adapters";
import { type Held, type OpenAdapter, type Props, Secret, type Subject, typeTokens, UNKNOWN } from "../model/program";
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

const adapters: Record<string, OpenAdapter> = { "dynamic provider": dynamicAdapter, plugin: pluginAdapter };

const names = Object.keys(adapters);

/** The adapter of this name, on the service of the world's present run. */
function adapterOn({ config, service }: World, name: string, show?: (urn: string, line: string) => void) {
  const given: Record<string, string> = { "frontdoor:baseUrl": config.baseUrl, "frontdoor:frontdoorId": "fd-1" };
  const adapter = adapters[name]?.(service, (key) => given[key], show);
  if (!adapter) throw new Error("no such adapter");
  return adapter;
}

const subjectOf = (kind: Subject["kind"], name = "web"): Subject => ({
  kind,
  urn: `urn:pulumi:test::office::${typeTokens[kind]}::${name}`,
});

describe("the dynamic adapter", () => {
  const share = { name: "web", ipsecTunnelId: "tnl-1", envZId: "env-1", target: "a:1", ingressPort: 1 };
  const declared = { ...share, frontdoorId: "fd-1", locationId: "loc-1" };

  it("looks after the engine from its configuration on, and says what is wrong with that on every resource", async () => {
    const open = async (token: string) => {
      const given: Record<string, string> = {
        "frontdoor:baseUrl": "http://127.0.0.1:1/frontdoor",
        "frontdoor:token": token,
      };
      const host = handlers["share"]?.() as Required<dynamic.ResourceProvider>;
      await host.configure({ config: { get: (key: string) => given[key], require: () => "" } }).catch(() => undefined);
      return host;
    };
    await open("t");
    expect(watchEngine).toHaveBeenCalled();
    const host = await open("");
    const { failures } = await host.check({}, share);
    expect(failures).toEqual([{ property: "", reason: expect.stringContaining("There are no credentials") as string }]);
    await expect(host.read("shr-1", share)).rejects.toThrow("There are no credentials");
    await expect(host.delete("shr-1", share)).rejects.toThrow("There are no credentials");
  });

  it("leaves it to the engine which inputs differ, where they can be updated and the state tells which were set", async () => {
    const [world] = await openWithTunnel();
    const adapter = adapterOn(world, "dynamic provider");
    const withoutNotes = { ...declared, status: "DEPLOYED" };
    const state = { ...withoutNotes, __set: ["locationId"] };
    const diff = (outputs: Props, news: Props) =>
      adapter.diff(subjectOf("shares"), { id: "shr-1", inputs: {}, outputs }, news);
    const check = (olds: Props) => adapter.check(subjectOf("shares"), olds, declared);
    const open = { deleteBeforeReplace: true };
    const told = { ...open, changes: true, replaces: [] };
    expect(await diff(state, { ...declared, target: "b:2" })).toEqual(open);
    expect(await diff(state, { ...share, frontdoorId: "fd-1" })).toEqual(open);
    expect(await diff({ ...state, status: "NEW" }, { ...declared, target: "b:2" })).toEqual(told);
    expect(await diff(withoutNotes, { ...declared, target: "b:2" })).toEqual(told);
    expect(await diff(state, declared)).toEqual({ ...told, changes: false });
    // The host of an older Pulumi has not kept the inputs that a refresh has read.
    await check(declared);
    expect(await diff({ ...state, target: "by-hand:1" }, declared)).toEqual(told);
    await check({ ...declared, target: "by-hand:1" });
    expect(await diff({ ...state, target: "by-hand:1" }, declared)).toEqual(open);
  });

  it("shows the requests of a change beside the resource, also if its name is not known yet", async () => {
    const [world] = await openWithTunnel();
    const lines: string[] = [];
    const adapter = adapterOn(world, "dynamic provider", (of, line) => lines.push(`${of}: ${line}`));
    const news = { ...share, name: UNKNOWN, frontdoorId: "fd-1" };
    const state = (name: string) => ({ ...share, name, frontdoorId: "fd-1", status: "DEPLOYED" });
    for (const name of ["one", "two"])
      expect((await adapter.check(subjectOf("shares", name), state(name), news)).failures).toEqual([]);
    await adapter.diff(subjectOf("shares"), { id: "shr-1", inputs: {}, outputs: state("one") }, news);
    expect(lines).toEqual([expect.stringMatching(/:IpsecShare::one: interrupted .*: PATCH name$/)]);
  });
});

it.each(names)("with the %s, a failure names a secret only where there is one, and shows none", async (adapterName) => {
  const [world, ipsecTunnelId] = await openWithTunnel();
  const check = async (shares: unknown) =>
    (await adapterOn(world, adapterName).check(subjectOf("sets"), {}, { ipsecTunnelId, envZId: "env-1", shares }))
      .failures;
  const secret = (target: string) => ({ ...port(443), target: new Secret(target) });
  expect(await check({ web: secret("very-secret:1"), db: port(70_000) })).toEqual([
    { property: "", reason: expect.stringMatching(/^shares\["db"\]\.ingressPort \(70000\) must be /) as unknown },
  ]);
  expect(await check({ web: secret("b\u00fccher.example:443"), db: port(5432) })).toEqual([
    {
      property: "",
      reason: expect.stringMatching(/^shares\["web"\].target \(a secret\) must (?!.*(b\u00fc|xn--))/) as unknown,
    },
  ]);
  expect(await check(new Secret({ web: port(70_000) }))).toEqual([
    { property: "", reason: expect.stringMatching(/^shares\["web"\]\.ingressPort \(a secret\) must be /) as unknown },
  ]);
});

describe.each(names)("arguments that a policy changes after the check, with the %s,", (adapterName) => {
  let world: World;
  let tunnelId: string;
  beforeEach(async () => {
    [world, tunnelId] = await openWithTunnel();
  });

  const hqArgs = { peerPublicIp: "203.0.113.9", peerCidr: "10.99.0.0/16", locationId: "loc-2" };
  const args = (kind: Subject["kind"]): Props => {
    if (kind === "tunnels") return hqArgs;
    const share = port(443);
    const on = { ipsecTunnelId: tunnelId, envZId: "env-1" };
    return kind === "sets" ? { ...on, shares: { web: share } } : { ...on, ...share };
  };

  it.each<[Subject["kind"], Props, string]>([
    ["tunnels", { peerPublicIp: "127.0.0.1" }, "peerPublicIp must be an IPv4 address"],
    ["tunnels", { name: undefined }, "name is required"],
    ["shares", { ingressPort: 70_000 }, "ingressPort must be a whole number from 1 to 65535"],
    ["shares", { name: "-bad-" }, "name must be 1 to 63 letters, digits and hyphens"],
    ["shares", { owner: "ops" }, "owner is not an argument of IpsecShare"],
    ["sets", { shares: { web: port(0) } }, 'shares["web"].'],
  ])("are refused before a request: %s %j", async (kind, change, message) => {
    const adapter = adapterOn(world, adapterName);
    const { inputs, failures } = await adapter.check(subjectOf(kind), {}, args(kind));
    expect(failures).toEqual([]);
    const wrong = Object.fromEntries(
      Object.entries({ ...inputs, ...change }).filter(([, value]) => value !== undefined),
    );
    const creating = adapter.create(subjectOf(kind), wrong);
    await expect(creating).rejects.toThrow(message);
    await expect(creating).rejects.toThrow(/Nothing was sent for this resource\. .* \[invalid-input\]$/);
    if (kind !== "sets") {
      const outputs = { ...inputs, status: "DEPLOYED" };
      const updating = adapter.update(subjectOf(kind), { id: "any-1", inputs, outputs }, wrong);
      await expect(updating).rejects.toThrow(message);
    }
    expect(world.calls()).toEqual([]);
  });

  const elsewhere = { frontdoorId: "fd-2" };
  const ofPolicy = { ...port(443), name: "acme-web", envZId: "env-1", target: "acme.internal:1" };

  it.each<[Subject["kind"], Props, Props, string]>([
    ["tunnels", { peerCidr: "10.98.0.0/16" }, { name: "acme-web" }, "name"],
    ["tunnels", { peerCidr: "10.98.0.0/16" }, { locationId: "loc-7" }, "locationId"],
    ["tunnels", { peerCidr: "10.98.0.0/16" }, { storeSampleConfig: false }, "storeSampleConfig"],
    ["tunnels", { peerCidr: "10.98.0.0/16" }, {}, "passes"],
    ["tunnels", {}, { name: "acme-web" }, "passes"],
    ["shares", elsewhere, { name: "acme-web" }, "name"],
    ["shares", { ingressPort: 8443 }, { target: "acme.internal:1" }, "passes"],
    ["sets", elsewhere, { shares: { web: ofPolicy } }, 'shares["web"].target, shares["web"].name'],
  ])("are refused if a replacement would lose them: %s, edit %j, policy %j", async (kind, edit, policy, told) => {
    const given = { ...args(kind), name: "web" };
    const made = adapterOn(world, adapterName);
    const { inputs: checked } = await made.check(subjectOf(kind), {}, given);
    const inputs = { ...checked, ...policy };
    const held: Held = { inputs, ...(await made.create(subjectOf(kind), inputs)) };
    world.nextRun();
    const adapter = adapterOn(world, adapterName);
    const now = await adapter.check(subjectOf(kind), inputs, { ...given, ...edit });
    const diff = adapter.diff(subjectOf(kind), held, { ...now.inputs, ...policy });
    if (told === "passes") await expect(diff).resolves.toBeDefined();
    else
      await expect(diff).rejects.toThrow(
        `a policy changes ${told}, and Pulumi loses that in a replacement. This resource was not changed.`,
      );
  });

  it.each([{}, { name: "-bad-" }])(
    "and are in the state do not stand in the way of a run without the policy, %j given",
    async (putBack) => {
      const adapter = adapterOn(world, adapterName);
      const { inputs } = await adapter.check(subjectOf("shares"), {}, args("shares"));
      const held: Held = { inputs, ...(await adapter.create(subjectOf("shares"), inputs)) };
      world.nextRun();
      const next = adapterOn(world, adapterName);
      const olds = { ...inputs, name: "-bad-" };
      const checked = await next.check(subjectOf("shares"), olds, { ...args("shares"), ...putBack });
      expect(checked).toMatchObject({ failures: [], inputs: { name: inputs["name"] } });
      expect(await next.diff(subjectOf("shares"), { ...held, inputs: olds }, checked.inputs)).toMatchObject({
        changes: false,
      });
    },
  );
});

describe("a duration", () => {
  it.each([
    ["90s", 90],
    ["1h30m", 5_400],
    ["1.5m", 90],
    ["250ms", 0.25],
    ["1h2m3s4ms", 3_723.004],
  ])("%s is %d s", (text, seconds) => {
    expect(durationSeconds(text)).toBe(seconds);
  });

  it.each(["", "90", "s", "1 m", "-1s", "1d", "1e3s", `${"1".repeat(50)}s`, 90, null, undefined])(
    "%j is none",
    (text) => {
      expect(durationSeconds(text)).toBeUndefined();
    },
  );
});

const progressOf = (isWatched: boolean) => {
  const lines: string[] = [];
  const clock = { ms: 0 };
  const add = (urn: string, line: string) => {
    lines.push(`${urn}: ${line}`);
    return Promise.resolve();
  };
  const show = progressLines(add, isWatched, () => clock.ms);
  return { show: (urn: string, line: string) => void show(urn, line), clock, lines };
};

describe("progress", () => {
  it("shows one line a minute for each resource if nobody watches", () => {
    const { show, clock, lines } = progressOf(false);
    for (clock.ms = 0; clock.ms <= 125_000; clock.ms += 5_000)
      for (const urn of ["a", "b"]) show(urn, `${clock.ms / 1000} s`);
    expect(lines).toEqual(["a: 60 s", "b: 60 s", "a: 120 s", "b: 120 s"]);
  });

  it("is cleared at the end, if it was shown", () => {
    const [watched, unwatched] = [progressOf(true), progressOf(false)];
    for (const { show } of [watched, unwatched]) for (const line of ["NEW for 1 s", ""]) show("a", line);
    expect([watched.lines, unwatched.lines]).toEqual([["a: NEW for 1 s", "a: "], []]);
    for (unwatched.clock.ms = 0; unwatched.clock.ms <= 70_000; unwatched.clock.ms += 10_000)
      unwatched.show("a", `NEW for ${unwatched.clock.ms / 1000} s`);
    for (const line of ["", ""]) unwatched.show("a", line);
    expect(unwatched.lines).toEqual(["a: NEW for 60 s", "a: "]);
  });

  it("counts nobody as watching in CI", () => {
    expect(isWatched({ CI: "true" })).toBe(false);
  });
});

const settingsOf = (settings: object, secrets: string[] = []) =>
  new ConfigureRequest().setArgs(structOf(settings, secrets));

describe("the preview of a set", () => {
  const setUrn = "urn:pulumi:test::office::frontdoor:index:IpsecShareSet::services";
  const web = { target: "web.internal:443", ingressPort: 443 };
  const db = { target: "db.internal:5432", ingressPort: 5432 };

  it.each([
    ["one changed target", { web: { ...web, target: "b.internal:443" }, db }, "nlb.example", [443, 5432]],
    ["a port that is not known", { web, db: { ...db, ingressPort: notKnown } }, "nlb.example", [443, notKnown]],
    ["a host that is not known", { web, db }, notKnown, [notKnown, notKnown]],
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
    const at = (port: unknown) => (port === notKnown ? unknownText : `nlb.example:${String(port)}`);
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
    expect(check({ token: notKnown, requestTimeout: "0" }).failures).toEqual({
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
    expect(diff({}, { token: notKnown })).toMatchObject({ isChange: true, changed: ["token"], replaces: [] });
  });

  it("is one of the plugin's version alone to nobody", () => {
    expect(diff({ version: "0.1.0" }, { version: "0.2.0" }).isChange).toBe(false);
  });

  it("is read from the outputs by an engine that sends no old inputs", () => {
    const request = new DiffRequest().setOlds(Struct.fromJavaScript({ token: "a" })).setNews(structOf({ token: "a" }));
    expect(diffOfConfiguration(request).getDiffsList()).toEqual([]);
  });
});
