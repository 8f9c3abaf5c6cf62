import { spawn } from "node:child_process";
import { once } from "node:events";
import { createRequire } from "node:module";
import { join } from "node:path";
import { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb";
import * as proto from "@pulumi/pulumi/proto/provider_pb";
import { root } from "../tests/harness/folder";
import { type Case, type Command, Contender, type Cost, type Name, teardownSeconds } from "./contender";

export interface Figure {
  median: number;
  least: number;
  most: number;
  values: number[];
}

/** A figure of several rounds: its median and how far it spreads. */
export function figure(values: number[]): Figure {
  const sorted = values.toSorted((a, b) => a - b);
  return { median: quantile(sorted, 0.5), least: sorted[0] ?? NaN, most: sorted.at(-1) ?? NaN, values };
}

/** Of sorted values. */
function quantile(sorted: number[], share: number): number {
  const at = (sorted.length - 1) * share;
  const [low = NaN, high = NaN] = [sorted[Math.floor(at)], sorted[Math.ceil(at)]];
  return low + (high - low) * (at - Math.floor(at));
}

/** What one contender's command cost, over all rounds. */
export interface Measured {
  seconds: Figure;
  /** Processor time of engine, program and provider together. */
  cpuSeconds: Figure;
  providerCpuSeconds: Figure;
  providerPeakMegabytes: Figure;
  stateBytes: number;
  /** From the first request to the last one. */
  requestSeconds: Figure;
  /** Of the last round, such as `{ "POST": 300, "list": 4, "GET": 0 }`. */
  requests: Record<string, number>;
}

export interface Comparison {
  case: Case;
  shareBytes: Partial<Record<Name, number>>;
  measured: Record<string, Partial<Record<Name, Measured>>>;
  /** The wall clock of a contender through the floor, round by round: that of the first one, and at a ceiling the time of its writes. */
  ratios: Record<string, Partial<Record<Name, Figure>>>;
}

/** Runs the contenders in turn, the order turned round after each round, and compares them round by round. */
export async function compare(one: Case, log: (line: string) => void): Promise<Comparison> {
  const costs = new Map<string, Cost[]>();
  const shareBytes: Comparison["shareBytes"] = {};
  for (let round = 0; round < one.rounds; round++) {
    const order = round % 2 === 0 ? one.contenders : one.contenders.toReversed();
    for (const name of order) {
      const contender = await Contender.open(name, one);
      try {
        for (const command of one.commands) {
          const cost = await contender.run(command);
          const key = `${command} ${name}`;
          costs.set(key, [...(costs.get(key) ?? []), cost]);
          if (command === "up") shareBytes[name] = contender.shareBytes();
          log(`  round ${round + 1}, ${name}: ${command} ${(cost.wallMs / 1000).toFixed(2)} s`);
        }
      } finally {
        contender.close();
      }
    }
  }
  const of = (command: Command, name: Name) => costs.get(`${command} ${name}`) ?? [];
  const each = <Value>(make: (command: Command, name: Name) => Value) =>
    Object.fromEntries(
      one.commands.map((command) => [
        command,
        Object.fromEntries(one.contenders.map((name) => [name, make(command, name)])),
      ]),
    );
  return {
    case: one,
    shareBytes,
    measured: each((command, name) => measured(of(command, name))),
    ratios: each((command, name) => {
      const base = of(command, one.contenders[0] ?? name);
      const floorMs = (round: number) => (base[round]?.wallMs ?? NaN) + writesMs(one, command);
      return figure(of(command, name).map(({ wallMs }, round) => wallMs / floorMs(round)));
    }),
  };
}

/** The time that the ceiling and the service take for the writes of all shares; 0 without a ceiling. */
function writesMs(one: Case, command: Command): number {
  if (one.requestsPerSecond === undefined) return 0;
  const workSeconds = command === "destroy" ? teardownSeconds(one) : one.provisionSeconds;
  return 1000 * (one.shares / one.requestsPerSecond + workSeconds);
}

function measured(costs: Cost[]): Measured {
  return {
    seconds: figure(costs.map(({ wallMs }) => wallMs / 1000)),
    cpuSeconds: figure(costs.map(({ all }) => all.cpuMs / 1000)),
    providerCpuSeconds: figure(costs.map(({ provider }) => provider.cpuMs / 1000)),
    providerPeakMegabytes: figure(costs.map(({ provider }) => provider.peakBytes / 1e6)),
    stateBytes: costs.at(-1)?.stateBytes ?? NaN,
    requestSeconds: figure(costs.map(({ requests }) => ((requests.at(-1)?.at ?? 0) - (requests[0]?.at ?? 0)) / 1000)),
    requests: counted(costs.at(-1)?.requests ?? []),
  };
}

/** Requests by kind: `list` and `GET` (by id) apart. */
function counted(requests: Cost["requests"]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { method, path } of requests) {
    const kind = method === "GET" && path.split("/").length === 2 ? "list" : method;
    counts[kind] = (counts[kind] ?? 0) + 1;
  }
  return counts;
}

// The very copies that the SDK's own messages are made with.
const fromSdk = createRequire(require.resolve("@pulumi/pulumi"));
const { credentials } = fromSdk("@grpc/grpc-js") as { credentials: { createInsecure(): never } };
const { Struct } = fromSdk("google-protobuf/google/protobuf/struct_pb.js") as {
  Struct: { fromJavaScript(value: object): never };
};

/** To its first check for a dynamic provider, which loads its text only then; to its configuration for a plugin. */
const starts = {
  floor: () => dynamicMs("exports.handler=()=>({check:async(o,n)=>({inputs:n})})"),
  ours: () => dynamicMs('exports.handler=()=>require("pulumi-frontdoor/dynamic").share()'),
  hello: () => pluginMs(join(__dirname, "hello", "pulumi-resource-hello")),
  plugin: () => pluginMs(join(root, "dist", "plugin", "pulumi-resource-frontdoor")),
};
type Started = keyof typeof starts;
const floors = { floor: "floor", ours: "floor", hello: "hello", plugin: "hello" } as const;
const started = Object.keys(starts) as Started[];

const rounds = 7;
const dynamicHost = join(root, "node_modules", "@pulumi", "pulumi", "cmd", "dynamic-provider");
const settings = { baseUrl: "http://127.0.0.1:1/frontdoor", token: "t" };

/** From the start of a provider process to its first answer that counts, in ms; and through that of its floor, round by round. */
export type Load = Record<Started, { ms: Figure; ratio: Figure }>;

/** Starts each in turn. */
export async function measureLoad(): Promise<Load> {
  const values: Record<Started, number[]> = { floor: [], ours: [], hello: [], plugin: [] };
  for (let round = 0; round <= rounds; round++) {
    for (const name of started) {
      const ms = await starts[name]();
      // The first one finds neither files in the system's cache nor code that was compiled before.
      if (round > 0) values[name].push(ms);
    }
  }
  const over = (name: Started) => values[name].map((ms, round) => ms / (values[floors[name]][round] ?? NaN));
  const figures = started.map((name) => [name, { ms: figure(values[name]), ratio: figure(over(name)) }]);
  return Object.fromEntries(figures) as Load;
}

const pluginMs = (file: string) =>
  answeredMs(file, async (client) => {
    await configure(client, settings);
  });

const dynamicMs = (text: string) =>
  answeredMs(dynamicHost, async (client) => {
    await configure(client, { "frontdoor:baseUrl": settings.baseUrl, "frontdoor:token": settings.token });
    await check(client, text);
  });

async function answeredMs(file: string, use: (client: ResourceProviderClient) => Promise<void>): Promise<number> {
  const startedMs = performance.now();
  const child = spawn("node", [file, "127.0.0.1:1"], { cwd: root, stdio: ["pipe", "pipe", "inherit"] });
  const exited = once(child, "exit");
  try {
    const [port] = (await once(child.stdout, "data")) as [Buffer];
    const client = new ResourceProviderClient(`127.0.0.1:${port.toString().trim()}`, credentials.createInsecure());
    await use(client);
    client.close();
    return performance.now() - startedMs;
  } finally {
    // As the engine ends it: killed, it would not keep what it has compiled.
    child.kill("SIGINT");
    await exited;
  }
}

/** Calls the provider. */
const callProvider = <Request, Answer>(
  call: (request: Request, done: (error: Error | null, answer: Answer) => void) => unknown,
  request: Request,
) =>
  new Promise<Answer>((resolve, reject) => {
    call(request, (error, answer) => {
      if (error) reject(error);
      else resolve(answer);
    });
  });

async function configure(client: ResourceProviderClient, values: object): Promise<void> {
  const request = new proto.ConfigureRequest();
  request.setArgs(Struct.fromJavaScript(values));
  await callProvider(client.configure.bind(client) as never, request);
}

async function check(client: ResourceProviderClient, text: string): Promise<void> {
  const request = new proto.CheckRequest();
  const share = { ipsecTunnelId: "tnl-1", envZId: "env-1", target: "web.internal:443", ingressPort: 443 };
  request.setNews(Struct.fromJavaScript({ __provider: text, name: "web", frontdoorId: "fd-1", ...share }));
  request.setOlds(Struct.fromJavaScript({}));
  const answer = await callProvider<proto.CheckRequest, proto.CheckResponse>(client.check.bind(client), request);
  const failures = answer.getFailuresList();
  if (failures.length > 0) throw new Error("the check failed");
}
