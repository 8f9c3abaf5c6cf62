import { appendFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { descendants, isProvider, type Process } from "../harness/processes";
import { type Ended, well } from "../harness/command";
import { Copies } from "../harness/copies";
import { ownImports, pluginClasses } from "../harness/plugin";

const token = `Canary"token/+${"=%&".repeat(3)}0123456789`;

/** What a curious consumer could do with the network's secret. */
const consumer = `
import { getSampleConfig } from "IMPORTS";
export const fromReference = network.getOutput("sampleConfig");
export const direct = getSampleConfig({ id: tunnel.tunnelId });
export const again = getSampleConfig({ id: tunnel.tunnelId });
`;

/** The engine's log of values that pass through it, and the Node SDK's of what its calls answer: docs/secrets.md names both. */
const pulumisOwn = /^\S+ \S+ +\d+ (rpc\.go:\d+\] (Unm|M)arshaling property|eventsink\.go:\d+\] )/;

/** The same line of the Node SDK as an event. */
const pulumisOwnEvent = /"diagnosticEvent":\{.*"message":"(\w+) RPC finished: .*"severity":"debug"/;

/** A secret in every spelling it could leak in; base64 at each of the three places it can stand in a longer text. */
function spellings(secret: string): string[] {
  const base64 = [0, 1, 2].flatMap((shift) => {
    const text = Buffer.from("x".repeat(shift) + secret).toString("base64");
    // The first and last characters depend on what stands around.
    const core = text.slice(shift === 0 ? 0 : 4, -4);
    return [core, core.replaceAll("+", "-").replaceAll("/", "_")];
  });
  return [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1), ...base64];
}

/** Links, such as node_modules, are not followed. */
const filesIn = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));

/** A copy of an example, with the classes of this package. */
function changeImports(folder: string, imports: string): void {
  const program = join(folder, "index.ts");
  const text = readFileSync(program, "utf8");
  writeFileSync(program, text.replaceAll(/"(pulumi-frontdoor|IMPORTS)"/g, JSON.stringify(imports)));
}

describe.each([ownImports])("%s: no secret shows", (imports) => {
  let copies: Copies;
  let secrets: string[];

  beforeAll(async () => {
    copies = await Copies.open(token);
    for (const name of ["network", "services"]) {
      copies.copy(name);
      well(await copies.pulumi(name, "stack", "init", "dev"));
    }
    well(await copies.pulumi("services", "config", "set", "networkStack", "organization/frontdoor-network/dev"));
    appendFileSync(join(copies.folder, "services", "index.ts"), consumer);
    for (const name of ["network", "services"]) changeImports(join(copies.folder, name), imports);
    well(await copies.pulumi("network", "up", "--yes", "--skip-preview"));
    const psk = copies.emulator.samplePsk(copies.emulator.tunnels()[0]?.id ?? "");
    secrets = [...spellings(psk), ...spellings(token)];
    well(await copies.pulumi("services", "up", "--yes", "--skip-preview"));
    // Without it the engine does not know --event-log.
    copies.env["PULUMI_DEBUG_COMMANDS"] = "1";
  });
  afterAll(() => copies.close());

  // The plugin's functions are calls of the engine's, the dynamic classes' are not.
  const asked = imports === pluginClasses ? ["Invoke"] : [];
  const leaks = (text: string) => secrets.filter((secret) => text.includes(secret));
  const said = ({ stdout, stderr }: Ended) => stdout + stderr;

  it("the consumer's outputs hold what they should when asked for, by one read for two equal calls", async () => {
    const shown = said(well(await copies.pulumi("services", "stack", "output", "--json", "--show-secrets")));
    const outputs = JSON.parse(shown) as Record<string, string>;
    for (const name of ["fromReference", "direct", "again"]) expect(leaks(outputs[name] ?? "")).not.toEqual([]);
    const { requests } = copies.emulator;
    // One by the tunnel's create, one by the consumer's program.
    expect(requests.filter(({ path }) => path.endsWith("/sample-config"))).toHaveLength(2);
  });

  it.each(["network", "services"])("%s: state, outputs, preview, refresh and up", async (stack) => {
    for (const command of [
      ["stack", "export"],
      ["stack", "output", "--json"],
      ["stack", "output"],
      ["preview", "--diff"],
    ])
      expect(leaks(said(well(await copies.pulumi(stack, ...command))))).toEqual([]);
    expect(leaks(said(well(await copies.pulumi(stack, "refresh", "--yes", "--skip-preview", "--diff"))))).toEqual([]);
  });

  it.each([
    ["network", ["Diff", "RegisterResource", "RegisterResourceOutputs"]],
    ["services", [...asked, "ReadResource", "RegisterResourceOutputs"]],
  ])("%s: a -v=9 log, but for what Pulumi itself writes of secrets", async (stack, calls) => {
    const run = said(well(await copies.pulumi(stack, "up", "--yes", "--skip-preview", "-v=9", "--logtostderr")));
    const entries = run.split(/^(?=[IWE]\d{4} )/m);
    expect(entries.some((entry) => pulumisOwn.test(entry))).toBe(true);
    const leaking = entries.filter((entry) => leaks(entry).length > 0);
    expect(leaking.filter((entry) => !pulumisOwn.test(entry))).toEqual([]);
    // The engine's words of a call, and the Node SDK's.
    const call = /RPC\[[^(]*\.(\w+)\(|(\w+) RPC finished/;
    const shown = leaking.map((entry) => call.exec(entry)?.slice(1).join("") ?? entry);
    expect([...new Set(shown)].sort()).toEqual(calls);
    expect(spellings(token).filter((secret) => run.includes(secret))).toEqual([]);
  });

  it.each([
    ["network", ["destroy"]],
    ["services", ["refresh"]],
    ["services", ["up", "--replace", "**Ipsec**"]],
  ])("%s: a %s that fails, where the service echoes the token", async (stack, command) => {
    const body = { error: "invalid_request", message: `Value for \`Authorization\` Bearer ${token} must be other` };
    copies.emulator.faults.answerNext({ times: 100, status: 400, body });
    const run = await copies.pulumi(stack, ...command, "--yes", "--skip-preview");
    expect(run.code).not.toBe(0);
    expect(said(run)).toContain("400 invalid_request");
    expect(leaks(said(run))).toEqual([]);
    copies.emulator.faults.clear();
  });

  it("in the arguments of a process and in any file that was written, event logs included", async () => {
    const log = join(copies.folder, "state", "events.json");
    const args = ["up", "--yes", "--skip-preview", "--refresh", "--event-log", log];
    const running = copies.startPulumi("services", ...args);
    const seen: Process[] = [];
    const watch = setInterval(() => {
      seen.push(...descendants(running.pid));
    }, 50);
    well(await running.end);
    clearInterval(watch);
    expect(seen.filter(isProvider)).not.toEqual([]);
    expect(seen.filter(({ command }) => leaks(command).length > 0)).toEqual([]);
    const events = readFileSync(log, "utf8").split("\n");
    expect(events.some((event) => event.includes("resOutputsEvent"))).toBe(true);
    const leaking = events.filter((event) => leaks(event).length > 0);
    const shown = leaking.map((event) => pulumisOwnEvent.exec(event)?.[1] ?? event);
    expect([...new Set(shown)].sort()).toEqual([...asked, "ReadResource"]);
    rmSync(log);
    const files = ["state", "home", "network", "services"].flatMap((folder) => filesIn(join(copies.folder, folder)));
    expect(files.map((file) => basename(file))).toEqual(expect.arrayContaining(["dev.json", "Pulumi.dev.yaml"]));
    expect(files.filter((file) => leaks(readFileSync(file, "latin1")).length > 0)).toEqual([]);
  });

  it.each(["services", "network"])("%s: destroy", async (stack) => {
    expect(leaks(said(well(await copies.pulumi(stack, "destroy", "--yes", "--skip-preview"))))).toEqual([]);
  });
});
