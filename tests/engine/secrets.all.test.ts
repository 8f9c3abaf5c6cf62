import { readdirSync, readFileSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { dynamicClasses, pluginClasses } from "../harness/environment";
import { isProvider, type Process } from "../harness/command";
import { entriesOf, isJson, pulumisOwn, spellings } from "../harness/leaks";
import { ownStack } from "../harness/own-stack";
import { Stack } from "../harness/stack";
import { inFolder } from "../harness/state";
import { hq } from "../harness/things";

const token = `Canary"token/+${"=%&".repeat(3)}0123456789`;

const network = `
  const hq = new frontdoor.IpsecTunnel("hq", { peerPublicIp: "203.0.113.7", peerCidr: "10.20.0.0/16" });
  exports.id = hq.id;
  exports.sampleConfig = hq.sampleConfig;`;

/** A stack on the network's tunnel, and what it could do with the network's secret. */
const services = `
  const network = new pulumi.StackReference("organization/network/test");
  const id = network.requireOutput("id");
  new frontdoor.IpsecShare("web", { ipsecTunnelId: id, envZId: "env-1", target: "web.internal:443", ingressPort: 443 });
  exports.fromReference = network.getOutput("sampleConfig");
  exports.direct = frontdoor.getSampleConfig({ id });
  exports.again = frontdoor.getSampleConfig({ id });`;

/** The same line of the Node SDK as an event. */
const pulumisOwnEvent = /"diagnosticEvent":\{.*"message":"(\w+) RPC finished: .*"severity":"debug"/;

/** The diff of a whole log would take more memory than there is. */
const shortened = (entry: string) => entry.slice(0, 500);

/** The files of a stack, without its packages and without the event log, which another test reads. */
const filesOf = ({ folder }: Stack) =>
  readdirSync(folder, { withFileTypes: true }).flatMap(({ name, parentPath }) => {
    if (["node_modules", "events.json"].includes(name)) return [];
    const path = join(parentPath, name);
    if (statSync(path).isFile()) return [path];
    const within = readdirSync(path, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    return within.map((entry) => join(entry.parentPath, entry.name));
  });

// Each test begins with what the one before it left.
describe.each([dynamicClasses, pluginClasses])("with %s, no secret shows", (imports) => {
  const stacks: Record<"network" | "services", { stack: Stack; program: string }> = {} as never;
  let secrets: string[];
  beforeAll(async () => {
    const first = await Stack.open({ token }, { project: "network", imports });
    const backEnd = inFolder(join(first.folder, "state"));
    const second = Stack.on(first.emulator, { project: "services", backEnd, imports });
    Object.assign(stacks, {
      network: { stack: first, program: network },
      services: { stack: second, program: services },
    });
    expect(await first.up(network)).toMatchObject({ code: 0, errors: [] });
    secrets = [...spellings(first.emulator.samplePsk(first.id("hq"))), ...spellings(token)];
    expect(await second.up(services)).toMatchObject({ code: 0, errors: [] });
  });
  afterAll(async () => {
    stacks.services.stack.forget();
    await stacks.network.stack.close();
  });

  // The plugin's functions are calls of the engine's, the dynamic classes' are not.
  const asked = imports === pluginClasses ? ["Invoke"] : [];
  const leaks = (text: string) => secrets.filter((secret) => text.includes(secret));

  it("unless it is asked for: the outputs then hold it, by one read for two equal calls", async () => {
    const { stack } = stacks.services;
    const outputs = JSON.parse((await stack.run("stack", "output", "--json", "--show-secrets")).text) as object;
    expect(Object.keys(outputs).sort()).toEqual(["again", "direct", "fromReference"]);
    for (const text of Object.values(outputs) as string[]) expect(leaks(text)).not.toEqual([]);
    // One by the tunnel's create, one by the program of the services.
    const isRead = ({ path }: { path: string }) => path.endsWith("/sample-config");
    expect(stack.emulator.requests.filter(isRead)).toHaveLength(2);
  });

  it.each(["network", "services"] as const)("in the state, the outputs and a diff of the %s", async (name) => {
    const { stack, program } = stacks[name];
    const runs = [await stack.run("stack", "export"), await stack.run("stack", "output")];
    for (const { code, text } of [...runs, await stack.preview(program, "--diff")])
      expect([code, leaks(text)]).toEqual([0, []]);
  });

  // The Node SDK logs the answers of its calls from level 3 on, the engine the values that it sends at level 9.
  const levels = [3, 9].flatMap((level) => {
    const ofEngine = (...calls: string[]) => (level === 9 ? calls : []);
    return [
      ["network", level, ["RegisterResource"], ofEngine("Diff", "RegisterResourceOutputs")],
      ["services", level, [...asked, "ReadResource"], ofEngine("RegisterResourceOutputs")],
    ] as ["network" | "services", number, string[], string[]][];
  });

  it.each(levels)(
    "in the logs, events and process arguments of the %s at -v=%d, but for what Pulumi itself writes",
    async (name, level, ofSdk, ofEngine) => {
      const { stack, program } = stacks[name];
      const seen: Process[] = [];
      const watch = setInterval(() => {
        seen.push(...stack.processes());
      }, 50);
      const { code, text } = await stack.up(program, `-v=${level}`, "--logtostderr");
      clearInterval(watch);
      expect(code).toBe(0);
      expect(seen.filter(isProvider)).not.toEqual([]);
      expect(seen.filter(({ command }) => leaks(command).length > 0)).toEqual([]);

      const entries = entriesOf(text);
      expect(entries.some((entry) => pulumisOwn.test(entry))).toBe(true);
      const leaking = entries.filter((entry) => leaks(entry).length > 0);
      expect(leaking.filter((entry) => !pulumisOwn.test(entry)).map(shortened)).toEqual([]);
      // The engine's words of a call, and the Node SDK's.
      const call = /RPC\[[^(]*\.(\w+)\(|(\w+) RPC finished/;
      const shown = leaking.map((entry) => call.exec(entry)?.slice(1).join("") ?? shortened(entry));
      const calls = [...ofSdk, ...(entries.some(isJson) ? [] : ofEngine)];
      expect([...new Set(shown)].sort()).toEqual(calls.sort());
      const log = entries.join("");
      expect(spellings(token).filter((secret) => log.includes(secret))).toEqual([]);

      const events = readFileSync(join(stack.folder, "events.json"), "utf8").split("\n");
      expect(events.some((event) => event.includes("resOutputsEvent"))).toBe(true);
      const inEvents = events.filter((event) => leaks(event).length > 0);
      const ofEvents = inEvents.map((event) => pulumisOwnEvent.exec(event)?.[1] ?? shortened(event));
      expect([...new Set(ofEvents)].sort()).toEqual(ofSdk.sort());
    },
  );

  it("in a destroy, and in any file that was written", async () => {
    for (const { stack } of [stacks.services, stacks.network]) {
      const { code, text } = await stack.destroy();
      expect([code, leaks(text)]).toEqual([0, []]);
    }
    const files = Object.values(stacks).flatMap(({ stack }) => filesOf(stack));
    expect(files.map((file) => basename(file))).toEqual(expect.arrayContaining(["test.json", "Pulumi.test.yaml"]));
    expect(files.filter((file) => leaks(readFileSync(file, "latin1")).length > 0)).toEqual([]);
  });
});

const web = { name: "web", ipsecTunnelId: { tunnel: "hq" }, envZId: { secret: "env-1" }, ingressPort: 443 };

it.each(["pulumi-frontdoor", pluginClasses])(
  "a refresh shows no hidden input as a change, with %s",
  async (imports) => {
    const stack = await ownStack({}, { imports });
    const opts = { customTimeouts: { update: "20m" } };
    await stack.up({ tunnels: { hq }, shares: { web: { ...web, target: "web.internal:443", opts } } });
    await fetch(`${stack.emulator.baseUrl}/v2/fd-1/ipsec-shares/${stack.id("web")}`, {
      method: "PATCH",
      headers: { authorization: `Bearer ${stack.emulator.token}`, "content-type": "application/json" },
      body: JSON.stringify({ target: "other.internal:443" }),
    });
    const { code, text } = await stack.run("refresh", "--preview-only", "--diff", "--stack", "test");
    expect(code).toBe(0);
    expect(text).toContain("other.internal:443");
    expect(text).not.toMatch(/__(origin|secrets|provider|timeouts)/);
  },
);

// Each secret is told from everything else by its first word.
const doors = { ofInput: "hush-door", ofStack: "hush-own-door" };

const secret = (value: string) => `pulumi.secret(${JSON.stringify(value)})`;

/** The lines that hold one of the secrets. */
const clear = (text: string) => text.split("\n").flatMap((line) => (line.includes("hush") ? [line.trim()] : []));

describe("secret inputs, and a secret front door of the stack's configuration", () => {
  let stack: Stack;
  const program = (port: number, more = "") => `
    const share = { ipsecTunnelId: "tnl-1", target: "web.internal:443", ingressPort: ${port} };
    const other = { ...share, ipsecTunnelId: "tnl-2", frontdoorId: ${secret(doors.ofInput)}, envZId: "env-1" };
    exports.short = new frontdoor.IpsecShare("short", { ...share, envId: ${secret("hush-env")}, target: ${secret("hush-target.internal:443")} }).envZId;
    new frontdoor.IpsecShare("long", { ...share, ingressPort: 8443, envZId: ${secret("hush-envz")}, name: ${secret("hush-name")}, locationId: ${secret("hush-location")} });
    exports.away = new frontdoor.IpsecShare("away", other).frontdoorId;
    new frontdoor.IpsecTunnel("hq", { peerPublicIp: "203.0.113.7", peerCidr: "10.20.0.0/16", locationId: "loc-9",
      frontdoorId: ${secret(doors.ofInput)}, name: ${secret("hush-hq")} });
    exports.set = new frontdoor.IpsecShareSet("set", { ipsecTunnelId: "tnl-1", envZId: "env-1",
      shares: { db: { target: ${secret("hush-db.internal:1")}, ingressPort: 1 } } }).shares;
    new frontdoor.IpsecShareSet("promised", { ipsecTunnelId: "tnl-1", envZId: "env-1",
      shares: Promise.resolve({ db: { target: ${secret("hush-promise.internal:1")}, envId: ${secret("hush-env")}, ingressPort: 5 } }) });
    exports.other = new frontdoor.IpsecShareSet("other", { ipsecTunnelId: "tnl-1", envZId: ${secret("hush-envz")},
      shares: { db: { target: "db.internal:1", ingressPort: 2 } } }).ids;
    ${more}`;

  beforeAll(async () => {
    const tokens = { "very-secret-token": ["*"] };
    stack = await Stack.open({ provisionMs: 100, tokens });
    stack.emulator.seedTunnel({ id: "tnl-1", locationId: "loc-1", frontdoorId: doors.ofStack });
    stack.emulator.seedTunnel({ id: "tnl-2", locationId: "loc-1", frontdoorId: doors.ofInput });
    stack.env["FRONTDOOR_ID"] = undefined;
    await stack.run("config", "set", "--secret", "frontdoor:frontdoorId", doors.ofStack);
  });
  afterAll(() => stack.close());

  it("are in the clear in neither the state nor the output, after create, refresh and update", async () => {
    for (const port of [443, 444]) {
      const run = await stack.steadyUp(program(port));
      expect(run).toMatchObject({ code: 0, errors: [] });
      expect([...clear(run.text), ...clear(stack.stateText())]).toEqual([]);
    }
    expect(new Set(stack.emulator.shares().map(({ envZId }) => envZId))).toEqual(
      new Set(["hush-env", "hush-envz", "env-1"]),
    );
    expect(new Set(stack.emulator.shares().map(({ frontdoorId }) => frontdoorId))).toEqual(
      new Set(Object.values(doors)),
    );
  });
});
