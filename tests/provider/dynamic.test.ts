import "./unwatched";
import type { dynamic } from "@pulumi/pulumi";
import { type Emulator, startEmulator } from "../../emulator";
import { openService, type Service } from "../../provider/run/service";
import { systemClock, durationSeconds } from "../../provider/time";
import { readConfig } from "../../provider/config";
import { DynamicAdapter, handlers } from "../../provider/host/dynamic";
import { isWatched, progressLines, watchEngine } from "../../provider/host/engine";
import { Host } from "../../provider/host/host";
import { unknownText } from "../../provider/host/host";
import type { ResourceType } from "../../provider/fields/types";
import type { ResourceLines } from "../../provider/lifecycle/lifecycle";
import { openPool } from "../../provider/http/send";
import { memoryRecords, type World, openWithTunnel, port } from "./world";
import { dynamicAdapter, pluginAdapter } from "../model/adapters";
import { type Held, type OpenAdapter, type Props, type Subject, typeTokens } from "../model/program";

describe("adapter", () => {
  const text = "exports.handler=…";

  type Props = Record<string, unknown>;

  /** The calls of an adapter, as the engine makes them. */
  interface Calls {
    check(olds: Props, news: Props): Promise<{ inputs: Props; failures: unknown[] }>;
    diff(id: string, olds: Props, news: Props): Promise<dynamic.DiffResult>;
    create(props: Props): Promise<{ id: string; outs: Props }>;
    read(id: string, props: Props): Promise<{ id?: string; props?: Props; inputs?: Props }>;
    update(id: string, olds: Props, news: Props): Promise<{ outs: Props }>;
    delete(id: string, props: Props): Promise<void>;
  }

  /** An adapter as the engine has configured it. */
  const configured = async (host: dynamic.ResourceProvider, settings: Record<string, string>): Promise<Calls> => {
    const config = { get: (key: string) => settings[key], require: (key: string) => settings[key] ?? "" };
    await host.configure?.({ config });
    return host as Calls;
  };

  const share = () => handlers["share"]?.() as dynamic.ResourceProvider;

  const services: Service[] = [];

  const silent: ResourceLines = { show: () => Promise.resolve(), showProgress: () => undefined };

  /** The adapters of one run, each run in a process of its own. */
  async function newRun(
    settings: Record<string, string>,
    lines?: Partial<ResourceLines>,
  ): Promise<{ tunnels: Calls; shares: Calls }> {
    const service = openService({
      config: readConfig((key) => settings[key], {}),
      clock: systemClock,
      transport: openPool(),
      say: () => undefined,
      records: memoryRecords(),
    });
    services.push(service);
    const host = new Host(service, { ...silent, ...lines });
    const adapterOf = (type: ResourceType): dynamic.ResourceProvider => new DynamicAdapter(type, () => host);
    return {
      tunnels: await configured(adapterOf("IpsecTunnel"), settings),
      shares: await configured(adapterOf("IpsecShare"), settings),
    };
  }

  const urn = (type: string, name: string) => `urn:pulumi:dev::net::pulumi-nodejs:dynamic/frontdoor:${type}::${name}`;

  describe("the dynamic adapter", () => {
    let emulator: Emulator;
    let settings: Record<string, string>;
    beforeAll(async () => {
      emulator = await startEmulator({ provisionMs: 0, teardownMs: 0 });
      settings = {
        "frontdoor:baseUrl": emulator.baseUrl,
        "frontdoor:token": emulator.token,
        "frontdoor:frontdoorId": "fd-1",
      };
    });
    afterAll(() => Promise.all([emulator.close(), ...services.map((service) => service.close())]));
    beforeEach(() => {
      emulator.reset();
    });

    it("looks after the engine from its configuration on: one that dies in a preview sends nothing more", async () => {
      await configured(share(), settings);
      expect(watchEngine).toHaveBeenCalled();
    });

    const tunnelProps = {
      peerPublicIp: "203.0.113.7",
      peerCidr: "10.20.0.0/16",
      __origin: `organization::${urn("IpsecTunnel", "hq")}`,
      __provider: text,
    };
    const shareProps = {
      name: "web",
      ipsecTunnelId: "tnl-1",
      envZId: "env-1",
      target: "a:1",
      ingressPort: 1,
      __provider: text,
    };

    it("says what is wrong with the configuration on every resource, also when it is not awaited", async () => {
      const host = share();
      const shares = host as Calls;
      void configured(host, { ...settings, "frontdoor:token": "" });
      const { failures } = await shares.check({}, shareProps);
      expect(failures).toEqual([
        { property: "", reason: expect.stringContaining("There are no credentials") as string },
      ]);
      await expect(shares.read("shr-1", shareProps)).rejects.toThrow("There are no credentials");
      await expect(shares.delete("shr-1", shareProps)).rejects.toThrow("There are no credentials");
    });

    it.each([
      ["left out", {}, { name: "net-dev-old", __defaults: ["name"] }],
      ["null", { name: null }, { name: "net-dev-old", __defaults: ["name"] }],
      ["given, by a transformation too", { name: "own" }, { name: "own" }],
    ])(
      "keeps the name in the state when the resource is renamed, unless one is given: %s",
      async (_how, name, inputs) => {
        const { tunnels } = await newRun(settings);
        const checked = await tunnels.check({ name: "net-dev-old" }, { ...tunnelProps, ...name });
        expect(checked).toMatchObject({ inputs, failures: [] });
        expect(checked.inputs).toHaveProperty("peerCidr");
        if ("name" in name && name.name) expect(checked.inputs).not.toHaveProperty("__defaults");
      },
    );

    it("leaves it to the engine which inputs differ, where they can be updated and the state tells which were set", async () => {
      const { shares } = await newRun(settings);
      const state = {
        ...shareProps,
        frontdoorId: "fd-1",
        status: "DEPLOYED",
        __set: ["locationId"],
        locationId: "loc-1",
      };
      const declared = { ...shareProps, frontdoorId: "fd-1", locationId: "loc-1" };
      const open = { deleteBeforeReplace: true };
      expect(await shares.diff("shr-1", state, { ...declared, target: "b:2" })).toEqual(open);
      expect(await shares.diff("shr-1", state, { ...declared, locationId: undefined })).toEqual(open);
      const told = { ...open, changes: true, replaces: [] };
      expect(await shares.diff("shr-1", { ...state, status: "NEW" }, { ...declared, target: "b:2" })).toEqual(told);
      expect(await shares.diff("shr-1", { ...state, __set: undefined }, { ...declared, target: "b:2" })).toEqual(told);
      expect(await shares.diff("shr-1", state, declared)).toEqual({ ...told, changes: false });
      // The host of an older Pulumi has not kept the inputs that a refresh has read.
      await shares.check(declared, declared);
      expect(await shares.diff("shr-1", { ...state, target: "by-hand:1" }, declared)).toEqual(told);
      await shares.check({ ...declared, target: "by-hand:1" }, declared);
      expect(await shares.diff("shr-1", { ...state, target: "by-hand:1" }, declared)).toEqual(open);
    });

    it("shows the progress of a create beside the resource", async () => {
      const lines: string[] = [];
      const { tunnels } = await newRun(settings, {
        showProgress: (of, line) => lines.push(`${of}: ${line}`),
      });
      emulator.settings.provisionMs = { tunnel: 1_000, share: 0 };
      await tunnels.create((await tunnels.check({}, tunnelProps)).inputs);
      expect(lines[0]).toMatch(/^urn:pulumi:dev::net::\S+:IpsecTunnel::hq: NEW for \S+ s, limit 60 min$/);
    });

    it("shows the requests of a change beside the resource, also if its name is not known yet", async () => {
      const lines: string[] = [];
      const show = (of: string, line: string) => Promise.resolve(void lines.push(`${of}: ${line}`));
      const { shares } = await newRun(settings, { show });
      const state = (name: string) => ({ ...shareProps, name, frontdoorId: "fd-1", status: "DEPLOYED" });
      const news = { ...shareProps, name: unknownText, frontdoorId: "fd-1" };
      for (const name of ["one", "two"]) {
        const __origin = `acme::${urn("IpsecShare", name)}`;
        expect((await shares.check(state(name), { ...news, __origin })).failures).toEqual([]);
      }
      await shares.diff("shr-1", state("one"), news);
      expect(lines).toEqual([expect.stringMatching(/:IpsecShare::one: PATCH/)]);
    });

    it("names both where two resources of a program have one name", async () => {
      const { shares } = await newRun(settings);
      const named = (name: string) => ({ ...shareProps, __origin: `organization::${urn("IpsecShare", name)}` });
      expect((await shares.check({}, named("one"))).failures).toEqual([]);
      expect((await shares.check({}, named("two"))).failures).toEqual([
        { property: "name", reason: expect.stringMatching(/"one" and "two" .*\[name-twice\]$/) as unknown },
        { property: "ingressPort", reason: expect.stringMatching(/share "one".*\[port-twice\]$/) as unknown },
      ]);
      expect((await shares.check({}, { ...named("two"), frontdoorId: "fd-2" })).failures).toEqual([]);
      expect((await shares.check({}, named("one"))).failures).toEqual([]);
    });
  });
});

const set: Subject = { kind: "sets", urn: `urn:pulumi:test::office::${typeTokens.sets}::services` };

const adapters: Record<string, OpenAdapter> = { "dynamic provider": dynamicAdapter, plugin: pluginAdapter };

const names = Object.keys(adapters);

/** The adapter of this name, on the service of the world's present run. */
function adapterOn({ config, service }: World, name: string) {
  const given: Record<string, string> = { "frontdoor:baseUrl": config.baseUrl, "frontdoor:frontdoorId": "fd-1" };
  const adapter = adapters[name]?.(service, (key) => given[key]);
  if (!adapter) throw new Error("no such adapter");
  return adapter;
}

describe.each(names)("arguments that a policy changes after the check, with the %s,", (adapterName) => {
  let world: World;
  let tunnelId: string;
  beforeEach(async () => {
    [world, tunnelId] = await openWithTunnel();
  });

  const subject = (kind: Subject["kind"]): Subject => ({
    kind,
    urn: `urn:pulumi:test::office::${typeTokens[kind]}::web`,
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
    const { inputs, failures } = await adapter.check(subject(kind), {}, args(kind));
    expect(failures).toEqual([]);
    const wrong = Object.fromEntries(
      Object.entries({ ...inputs, ...change }).filter(([, value]) => value !== undefined),
    );
    const creating = adapter.create(subject(kind), wrong);
    await expect(creating).rejects.toThrow(message);
    await expect(creating).rejects.toThrow(/Nothing was sent for this resource\. .* \[invalid-input\]$/);
    if (kind !== "sets") {
      const outputs = { ...inputs, status: "DEPLOYED" };
      const updating = adapter.update(subject(kind), { id: "any-1", inputs, outputs }, wrong);
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
    const { inputs: checked } = await made.check(subject(kind), {}, given);
    const inputs = { ...checked, ...policy };
    const held: Held = { inputs, ...(await made.create(subject(kind), inputs)) };
    world.nextRun();
    const adapter = adapterOn(world, adapterName);
    const now = await adapter.check(subject(kind), inputs, { ...given, ...edit });
    const diff = adapter.diff(subject(kind), held, { ...now.inputs, ...policy });
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
      const { inputs } = await adapter.check(subject("shares"), {}, args("shares"));
      const held: Held = { inputs, ...(await adapter.create(subject("shares"), inputs)) };
      world.nextRun();
      const next = adapterOn(world, adapterName);
      const olds = { ...inputs, name: "-bad-" };
      const checked = await next.check(subject("shares"), olds, { ...args("shares"), ...putBack });
      expect(checked).toMatchObject({ failures: [], inputs: { name: inputs["name"] } });
      expect(await next.diff(subject("shares"), { ...held, inputs: olds }, checked.inputs)).toMatchObject({
        changes: false,
      });
    },
  );
});

describe.each(names)("customTimeouts.read, with the %s,", (adapterName) => {
  it.each<[Subject["kind"], string, boolean]>([
    ["tunnels", "60s", true],
    ["shares", "60s", true],
    ["sets", "60s", true],
    ["shares", "5m", false],
    ["shares", "0s", false],
  ])("is the deadline of a refresh: %s, %s", async (kind, read, isTooShort) => {
    const [world, tunnelId] = await openWithTunnel();
    const subject = { kind, urn: `urn:pulumi:test::office::${typeTokens[kind]}::web`, timeouts: { read } };
    const on = { ipsecTunnelId: tunnelId, envZId: "env-1" };
    const args = {
      tunnels: { peerPublicIp: "203.0.113.9", peerCidr: "10.99.0.0/16", locationId: "loc-2" },
      shares: { ...on, ...port(443) },
      sets: { ...on, shares: { web: port(443) } },
      connections: {},
    }[kind];
    const first = adapterOn(world, adapterName);
    const { inputs } = await first.check(subject, {}, args);
    const held: Held = { inputs, ...(await first.create(subject, inputs)) };
    world.nextRun();
    world.emulator.faults.answerNext({ method: "GET", status: 429, headers: { "retry-after": "120" } });
    const reading = adapterOn(world, adapterName).read(subject, held);
    if (isTooShort) await expect(reading).rejects.toThrow("[long-pause]");
    else expect(await reading).toMatchObject({ outputs: { frontdoorId: "fd-1" } });
  });
});

describe.each(names.flatMap((maker) => names.map((next) => [maker, next] as const)))(
  "a set that the %s made, and the %s serves now,",
  (maker, next) => {
    let world: World;
    let tunnelId: string;
    beforeEach(async () => {
      [world, tunnelId] = await openWithTunnel();
    });

    const program = (shares: Props): Props => ({ ipsecTunnelId: tunnelId, envZId: "env-1", shares });

    it("loses keys by an update in place, and keeps the share of a key with retain", async () => {
      const first = adapterOn(world, maker);
      const shares = { web: port(443, { retain: true }), gone: port(22), db: port(5432) };
      const { inputs } = await first.check(set, {}, program(shares));
      const held: Held = { inputs, ...(await first.create(set, inputs)) };
      world.nextRun();
      world.calls();

      const second = adapterOn(world, next);
      const { inputs: news, failures } = await second.check(set, held.inputs, program({ db: port(5432) }));
      expect(failures).toEqual([]);
      const { changes, replaces = [] } = await second.diff(set, held, news);
      expect([changes ?? true, replaces]).toEqual([true, []]);
      const { outputs, unfinished } = await second.update(set, held, news);
      expect(unfinished).toBeUndefined();
      const ids = held.outputs["ids"] as Record<string, string>;
      expect(outputs["ids"]).toEqual({ db: ids["db"] });
      expect(world.writes()).toEqual([`DELETE /ipsec-shares/${ids["gone"]}`]);
      const line = `shares\\["web"\\] \\(${ids["web"]}\\) stays in Frontdoor.* \\[retained\\]$`;
      expect(world.said).toEqual([expect.stringMatching(line)]);
    });
  },
);

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
  const add = (urn: string, line: string) => lines.push(`${urn}: ${line}`);
  return { show: progressLines(add, isWatched, () => clock.ms), clock, lines };
};

describe("progress", () => {
  it("shows every line if somebody watches", () => {
    const { show, lines } = progressOf(true);
    for (const line of ["NEW for 1 s", "NEW for 2 s"]) show("a", line);
    expect(lines).toEqual(["a: NEW for 1 s", "a: NEW for 2 s"]);
  });

  it("shows one line a minute for each resource if nobody watches", () => {
    const { show, clock, lines } = progressOf(false);
    for (clock.ms = 0; clock.ms <= 125_000; clock.ms += 5_000)
      for (const urn of ["a", "b"]) show(urn, `${clock.ms / 1000} s`);
    expect(lines).toEqual(["a: 60 s", "b: 60 s", "a: 120 s", "b: 120 s"]);
  });

  it("is cleared at the end, if somebody watches", () => {
    const [watched, unwatched] = [progressOf(true), progressOf(false)];
    for (const { show } of [watched, unwatched]) for (const line of ["NEW for 1 s", ""]) show("a", line);
    expect([watched.lines, unwatched.lines]).toEqual([["a: NEW for 1 s", "a: "], []]);
  });

  it("counts nobody as watching in CI", () => {
    expect(isWatched({ CI: "true" })).toBe(false);
  });
});
