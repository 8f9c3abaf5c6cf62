import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { delimiter, join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import type { RequestEntry } from "../emulator";
import { startPulumi, well } from "../tests/harness/command";
import { engineEnvironment } from "../tests/harness/environment";
import { removeFolder, root } from "../tests/harness/folder";
import { inFolder } from "../tests/harness/state";

const usage = `Measures both adapters on the real engine against their floors, and prints a table.

  --other PATH   against another checkout that is built, such as an older commit, in place of the floors
  --quick        30 shares, two rounds, parallelism 256
  --rounds N     default 5
  --shares N     default 300
  --provision S  seconds that the emulator takes to create a share; default 0
`;

/** The program of each contender, which BENCH_CONTENDER names. The floors declare the same inputs. */
const program = `
const pulumi = require("@pulumi/pulumi");
const shareArgs = (n) => ({
  ...{ name: "share-" + n, frontdoorId: "fd-1", ipsecTunnelId: "tnl-1", envZId: "env-1", ingressPort: 1000 + n },
  target: (n === 0 && process.env.BENCH_EDITED ? "edited" : "host-" + n) + ".internal:443",
});
const ms = Number(process.env.BENCH_PROVISION_MS);
const create = ms > 0 ? "p=>new Promise(r=>setTimeout(r," + ms + ",{id:p.name,outs:p}))" : "async p=>({id:p.name,outs:p})";
const floor = "exports.handler=()=>({check:async(o,n)=>({inputs:n}),diff:async()=>({changes:false}),create:" + create +
  ",read:async(i,p)=>({id:i,props:p}),delete:async()=>{}})";
const classes = {
  "dynamic floor": () => class extends pulumi.CustomResource {
    constructor(name, args) { super("pulumi-nodejs:dynamic/floor:Share", name, { ...args, __provider: floor }); }
  },
  "plugin floor": () => class extends pulumi.CustomResource {
    constructor(name, args) { super("floor:index:Share", name, args); }
  },
  dynamic: () => require("pulumi-frontdoor").IpsecShare,
  plugin: () => require("pulumi-frontdoor/plugin").IpsecShare,
};
const Share = classes[process.env.BENCH_CONTENDER]();
for (let n = 0; n < Number(process.env.BENCH_SHARES); n++) new Share("share-" + n, shareArgs(n));
`;

/** A plugin that does nothing: what the engine, gRPC and Pulumi's SDK cost. Where Frontdoor would take time, it sleeps as long. */
const floorPlugin = `#!/usr/bin/env node
const sdk = require("node:module").createRequire(require.resolve("@pulumi/pulumi"));
const { Server, ServerCredentials } = sdk("@grpc/grpc-js");
const { ResourceProviderService } = require("@pulumi/pulumi/proto/provider_grpc_pb");
const { PluginInfo } = require("@pulumi/pulumi/proto/plugin_pb");
const proto = require("@pulumi/pulumi/proto/provider_pb");
const { Empty } = sdk("google-protobuf/google/protobuf/empty_pb.js");
const ms = Number(process.env.BENCH_PROVISION_MS);
const after = (ms, answer) => (ms > 0 ? new Promise((resolve) => setTimeout(resolve, ms, answer)) : answer);
const methods = {
  handshake: () => new proto.ProviderHandshakeResponse().setAcceptSecrets(true),
  getPluginInfo: () => new PluginInfo().setVersion("1.0.0"),
  checkConfig: (asked) => new proto.CheckResponse().setInputs(asked.getNews()),
  diffConfig: () => new proto.DiffResponse(),
  configure: () => new proto.ConfigureResponse().setAcceptsecrets(true).setSupportspreview(true),
  check: (asked) => new proto.CheckResponse().setInputs(asked.getNews()),
  diff: () => new proto.DiffResponse().setChanges(proto.DiffResponse.DiffChanges.DIFF_NONE),
  create: (asked) => {
    const made = asked.getProperties();
    const id = made.getFieldsMap().get("name").getStringValue();
    return after(ms, new proto.CreateResponse().setId(id).setProperties(made));
  },
  read: (asked) =>
    new proto.ReadResponse().setId(asked.getId()).setProperties(asked.getProperties()).setInputs(asked.getInputs()),
  delete: () => after(Math.min(ms, 1000), new Empty()),
  cancel: () => new Empty(),
};
const server = new Server({ "grpc.max_receive_message_length": -1, "grpc.max_send_message_length": -1 });
const handlers = Object.entries(methods).map(([name, method]) => [
  name,
  async ({ request }, callback) => callback(null, await method(request)),
]);
server.addService(ResourceProviderService, Object.fromEntries(handlers));
server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (_, port) => process.stdout.write(port + "\\n"));
`;

type Adapter = "dynamic" | "plugin";
type Contender = Adapter | `${Adapter} floor` | `other ${Adapter}`;
type Command = "up" | "preview" | "edit" | "refresh" | "destroy";

interface Size {
  shares: number;
  parallel: number;
  provisionSeconds: number;
  /** The checkout of the contenders named "other". */
  other: string;
}

interface Cost {
  seconds: number;
  /** Of engine, program and provider together. */
  cpuSeconds: number;
  providerMegabytes: number;
  requests: RequestEntry[];
}

const { values: options } = parseArgs({
  options: {
    other: { type: "string" },
    rounds: { type: "string" },
    shares: { type: "string" },
    provision: { type: "string", default: "0" },
    quick: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});

async function main(): Promise<void> {
  if (options.help) {
    console.log(usage);
    return;
  }
  const { other, quick } = options;
  const rounds = Number(options.rounds ?? (quick ? 2 : 5));
  const shares = Number(options.shares ?? (quick ? 30 : 300));
  const base = other === undefined ? "floor" : "older";
  const commands: Command[] = [
    "up",
    "preview",
    ...(other === undefined ? [] : (["edit"] as const)),
    "refresh",
    "destroy",
  ];
  const cpu = cpus();
  console.log(`${new Date().toISOString().slice(0, 10)}, ${cpu.length} × ${cpu[0]?.model ?? "?"}, ${shares} shares`);
  const engine = execFileSync("pulumi", ["version"], { encoding: "utf8" }).trim();
  console.log(
    `Node ${process.version}, Pulumi ${engine}, ${rounds} rounds, ${options.provision} s to create a share\n`,
  );
  const head = ["parallelism", "command", "contender", "s", `× ${base}`, "CPU s", "provider MB", "requests"];
  console.log(`| ${head.join(" | ")} |\n| ${head.map(() => "---").join(" | ")} |`);
  for (const parallel of quick ? [256] : [8, 256])
    for (const adapter of ["dynamic", "plugin"] as const) {
      const first: Contender = other === undefined ? `${adapter} floor` : `other ${adapter}`;
      const pair = [first, adapter] as const;
      const size = { shares, parallel, provisionSeconds: Number(options.provision), other: resolve(other ?? root) };
      for (const row of rowsOf(pair, commands, await measured(pair, commands, size, rounds)))
        console.log(`| ${[parallel, ...row].join(" | ")} |`);
    }
}

type Costs = Record<string, Cost[]>;

/** Runs the two in turn, the order turned round after each round. */
async function measured(
  pair: readonly [Contender, Contender],
  commands: Command[],
  size: Size,
  rounds: number,
): Promise<Costs> {
  const costs: Costs = {};
  for (let round = 0; round < rounds; round++)
    for (const name of round % 2 === 0 ? pair : pair.toReversed()) {
      console.error(`parallelism ${size.parallel}, round ${round + 1}, ${name}`);
      for (const [command, cost] of await lifeOf(name, commands, size)) (costs[`${command} ${name}`] ??= []).push(cost);
    }
  return costs;
}

/** Runs the commands on a stack and an emulator of their own. */
async function lifeOf(name: Contender, commands: Command[], size: Size): Promise<[Command, Cost][]> {
  const folder = mkdtempSync(join(tmpdir(), "frontdoor-bench-"));
  const checkout = name.startsWith("other ") ? size.other : root;
  for (const each of ["state", "bin"]) mkdirSync(join(folder, each));
  symlinkSync(join(checkout, "node_modules"), join(folder, "node_modules"));
  writeFileSync(join(folder, "index.js"), program);
  writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "bench", main: "index.js" }));
  writeFileSync(join(folder, "Pulumi.yaml"), JSON.stringify({ name: "bench", runtime: "nodejs" }));
  writeFileSync(join(folder, "bin", "pulumi-resource-floor"), floorPlugin, { mode: 0o755 });
  const emulator = await startEmulator(folder, size.provisionSeconds);
  const env = {
    ...engineEnvironment(folder, inFolder(join(folder, "state"))),
    PATH: [join(folder, "bin"), join(checkout, "dist", "plugin"), process.env["PATH"]].join(delimiter),
    FRONTDOOR_BASE_URL: emulator.baseUrl,
    FRONTDOOR_ID: "fd-1",
    FRONTDOOR_TOKEN: "emulator-token",
    // More than any run sends: the provider is measured, not its limit.
    FRONTDOOR_REQUESTS_PER_SECOND: "10000",
    BENCH_CONTENDER: name.replace("other ", ""),
    BENCH_SHARES: String(size.shares),
    BENCH_PROVISION_MS: String(size.provisionSeconds * 1000),
  };
  const pulumi = (args: string[], more = {}) => startPulumi(args, { cwd: folder, env: { ...env, ...more } });
  try {
    well(await pulumi(["stack", "init", "test"]).end);
    const costs: [Command, Cost][] = [];
    let edited = {};
    for (const command of commands) {
      if (command === "edit") edited = { BENCH_EDITED: "1" };
      const flags = command === "preview" ? [] : ["--yes", "--skip-preview"];
      const args = [command === "edit" ? "up" : command, ...flags, "--parallel", String(size.parallel)];
      const before = (await emulator.requests()).length;
      const startedMs = performance.now();
      const running = pulumi(args, edited);
      const usage = watchUsage(running.pid);
      well(await running.end);
      const seconds = (performance.now() - startedMs) / 1000;
      costs.push([command, { seconds, ...usage(), requests: (await emulator.requests()).slice(before) }]);
    }
    return costs;
  } finally {
    emulator.stop();
    removeFolder(folder);
  }
}

/** Starts the emulator in a process of its own, so that its work is not counted as the provider's, and creates the tunnel tnl-1. */
async function startEmulator(folder: string, provisionSeconds: number) {
  const ready = join(folder, "ready.json");
  const seconds = ["--provision", String(provisionSeconds), "--teardown", String(Math.min(provisionSeconds, 1))];
  const listening = ["--port", "0", "--quiet", "--ready-file", ready];
  const args = ["-r", "ts-node/register/transpile-only", "emulator/command.ts", ...listening, ...seconds];
  const child = spawn("node", args, { cwd: root, stdio: ["ignore", "ignore", "inherit"] });
  while (!existsSync(ready)) {
    if (child.exitCode !== null) throw new Error("the emulator did not start");
    await sleep(50);
  }
  const { baseUrl } = JSON.parse(readFileSync(ready, "utf8")) as { baseUrl: string };
  const created = await fetch(`${baseUrl}/v2/fd-1/ipsec-tunnels`, {
    method: "POST",
    headers: { authorization: "Bearer emulator-token", "content-type": "application/json" },
    body: JSON.stringify({ name: "hq", peerPublicIp: "203.0.113.7", peerCidr: "10.20.0.0/16" }),
  });
  if (!created.ok) throw new Error(`the tunnel was not created: ${created.status}`);
  return {
    baseUrl,
    requests: async () => (await (await fetch(new URL("/_admin/requests", baseUrl))).json()) as RequestEntry[],
    stop: () => child.kill(),
  };
}

const tickMs = 10;
const sampleMs = 200;

/** Watches a process and all that it starts. `/proc` is Linux's; elsewhere all figures are 0. */
function watchUsage(pid: number): () => Pick<Cost, "cpuSeconds" | "providerMegabytes"> {
  const seen = new Map<number, { cpuMs: number; peakKb: number; isProvider: boolean }>();
  const timer = setInterval(() => {
    const all = existsSync("/proc/self") ? readdirSync("/proc").map(Number).filter(Number.isInteger) : [];
    const own = new Set([pid]);
    // A child usually has a higher id than its parent.
    for (const each of all.sort((a, b) => a - b)) {
      const found = sampled(each);
      if (!found || !(own.has(each) || own.has(found.parent))) continue;
      own.add(each);
      const { peakKb = 0, isProvider = false } = seen.get(each) ?? {};
      // While a process ends, neither its command line nor its memory is told any more.
      seen.set(each, {
        cpuMs: found.cpuMs,
        peakKb: Math.max(peakKb, found.peakKb),
        isProvider: isProvider || found.isProvider,
      });
    }
  }, sampleMs);
  return () => {
    clearInterval(timer);
    const all = [...seen.values()];
    return {
      cpuSeconds: all.reduce((sum, { cpuMs }) => sum + cpuMs, 0) / 1000,
      providerMegabytes: all.reduce((sum, { peakKb, isProvider }) => sum + (isProvider ? peakKb : 0), 0) / 1000,
    };
  };
}

function sampled(pid: number) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const [, parent, ...rest] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return {
      parent: Number(parent),
      // utime and stime are the 14th and 15th field, the third being the state.
      cpuMs: (Number(rest[9]) + Number(rest[10])) * tickMs,
      peakKb: Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0),
      isProvider: /dynamic-provider|pulumi-resource-/.test(readFileSync(`/proc/${pid}/cmdline`, "utf8")),
    };
  } catch {
    return undefined;
  }
}

/** The rows of two contenders: medians, with the least and the most of the rounds in brackets. A ratio is computed for each round. */
function rowsOf(pair: readonly [Contender, Contender], commands: Command[], costs: Costs): string[][] {
  const spread = (values: number[], digits: number) => {
    const sorted = values.toSorted((a, b) => a - b);
    const middle = (sorted.length - 1) / 2;
    const median = ((sorted[Math.floor(middle)] ?? NaN) + (sorted[Math.ceil(middle)] ?? NaN)) / 2;
    return `${median.toFixed(digits)} (${sorted[0]?.toFixed(digits) ?? ""}–${sorted.at(-1)?.toFixed(digits) ?? ""})`;
  };
  return commands.flatMap((command) => {
    const base = costs[`${command} ${pair[0]}`] ?? [];
    return pair.map((name) => {
      const own = costs[`${command} ${name}`] ?? [];
      const kinds = Map.groupBy(own.at(-1)?.requests ?? [], ({ method, path }) =>
        method === "GET" && path.split("/").length === 2 ? "lists" : method,
      );
      const figure = (digits: number, valueOf: (cost: Cost, round: number) => number) =>
        spread(own.map(valueOf), digits);
      return [
        command,
        name,
        figure(2, ({ seconds }) => seconds),
        figure(2, ({ seconds }, round) => seconds / (base[round]?.seconds ?? NaN)),
        figure(1, ({ cpuSeconds }) => cpuSeconds),
        figure(0, ({ providerMegabytes }) => providerMegabytes),
        [...kinds].map(([kind, { length }]) => `${length} ${kind}`).join(", ") || "none",
      ];
    });
  });
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
