import { type ChildProcess, spawn } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { RequestEntry } from "../emulator/records";
import { type Running, startPulumi } from "../tests/harness/command";
import { engineEnvironment } from "../tests/harness/environment";
import { removeFolder, root } from "../tests/harness/folder";
import { type BackEnd, inFolder } from "../tests/harness/state";

/**
 * What is compared: the floor of dynamic providers, and this one; the floor of plugins and this plugin; all shares as one set,
 * by the dynamic provider and by the plugin; a program without resources.
 */
export type Name = "floor" | "hello" | "empty" | Own | `other ${Own}`;

/** The contenders of this provider. Those of `--other` are built in another checkout. */
export type Own = "ours" | "plugin" | "set" | "pluginSet";

/** `edit` is an up after one share has changed. */
export type Command = "up" | "preview" | "edit" | "refresh" | "destroy";

/** One comparison: the same commands by several contenders, in turn, so many times. */
export interface Case extends Behaviour {
  contenders: readonly Name[];
  commands: readonly Command[];
  rounds: number;
  shares: number;
  parallel: number;
  /** `frontdoor:requestsPerSecond`. Without it, the rate limiter has no effect. */
  requestsPerSecond?: number;
  /** False: `PULUMI_SKIP_CHECKPOINTS`, fast mode. */
  checkpoints: boolean;
}

/** What one command cost. */
export interface Cost extends Watched {
  wallMs: number;
  requests: RequestEntry[];
  /** What it printed. */
  text: string;
  /** Of the state, after it. */
  stateBytes: number;
}

const other = "other ";
const checkoutOf = (name: Name): string => (name.startsWith(other) ? process.env["BENCH_OTHER"] : undefined) ?? root;

/** A contender that the engine runs, with a stack and a service of its own. */
export class Contender {
  private isEdited = false;

  private constructor(
    private readonly name: Name,
    private readonly size: Case,
    private readonly folder: string,
    private readonly service: BenchService,
    private readonly backEnd: BackEnd,
  ) {}

  static async open(name: Name, size: Case): Promise<Contender> {
    const checkout = checkoutOf(name);
    const service = await BenchService.start(size);
    const folder = mkdtempSync(join(tmpdir(), "frontdoor-bench-"));
    cpSync(join(__dirname, "program"), folder, { recursive: true });
    symlinkSync(join(checkout, "node_modules"), join(folder, "node_modules"));
    mkdirSync(join(folder, "state"));
    writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "bench", main: "index.js" }));
    writeFileSync(join(folder, "Pulumi.yaml"), JSON.stringify({ name: "bench", runtime: "nodejs" }));
    const contender = new Contender(name, size, folder, service, inFolder(join(folder, "state")));
    await contender.pulumi("stack", "init", "test");
    return contender;
  }

  /** Runs a command that has to succeed. */
  async run(command: Command): Promise<Cost> {
    await this.service.requests();
    const flags = command === "preview" ? [] : ["--yes", "--skip-preview"];
    this.isEdited ||= command === "edit";
    const used = await this.pulumi(
      command === "edit" ? "up" : command,
      ...flags,
      ...["--stack", "test", "--parallel", String(this.size.parallel)],
    );
    const stateBytes = Buffer.byteLength(this.backEnd.read("bench", "test"));
    return { ...used, requests: await this.service.requests(), stateBytes };
  }

  /** The longest a share of the state is, as JSON without white space; of those of a set what each is of it. */
  shareBytes(): number {
    const text = this.backEnd.read("bench", "test");
    const { checkpoint } = JSON.parse(text) as { checkpoint: { latest: { resources: { urn: string }[] } } };
    const { resources } = checkpoint.latest;
    const set = resources.find(({ urn }) => urn.endsWith("::shares"));
    if (set) return Math.round(JSON.stringify(set).length / this.size.shares);
    const shares = resources.filter(({ urn }) => urn.includes("::share-"));
    return Math.max(0, ...shares.map((share) => JSON.stringify(share).length));
  }

  close(): void {
    this.service.stop();
    removeFolder(this.folder);
  }

  private pulumi(...args: string[]): Promise<Watched & { wallMs: number; text: string }> {
    const env = {
      ...engineEnvironment(this.folder, this.backEnd),
      ...(this.size.checkpoints ? {} : { PULUMI_SKIP_CHECKPOINTS: "true" }),
      PATH: [join(__dirname, "hello"), join(checkoutOf(this.name), "dist", "plugin"), process.env["PATH"]].join(
        delimiter,
      ),
      FRONTDOOR_BASE_URL: this.service.baseUrl,
      FRONTDOOR_ID: "fd-1",
      FRONTDOOR_TOKEN: "emulator-token",
      // More than any run sends: the provider is measured, not its courtesy to the service.
      FRONTDOOR_REQUESTS_PER_SECOND: String(this.size.requestsPerSecond ?? 10_000),
      BENCH_CONTENDER: this.name.replace(other, ""),
      BENCH_SHARES: String(this.size.shares),
      BENCH_EDITED: this.isEdited ? "1" : "",
      BENCH_PROVISION_SECONDS: String(this.size.provisionSeconds),
    };
    return timed(`${this.name}: pulumi ${args.join(" ")}`, () => startPulumi(args, { cwd: this.folder, env }));
  }
}

/** How the service behaves. */
export interface Behaviour {
  provisionSeconds: number;
  latencyMs: number;
  /** Lists leave out what is deleted, as the vendor's do. */
  deletedListed?: false;
}

export const teardownSeconds = ({ provisionSeconds }: Behaviour): number => Math.min(provisionSeconds, 1);

/** The emulator in a process of its own, so that its work is not counted as the provider's. */
export class BenchService {
  private seen = 0;

  private constructor(
    private readonly child: ChildProcess,
    private readonly folder: string,
    readonly baseUrl: string,
  ) {}

  static async start(behaviour: Behaviour): Promise<BenchService> {
    const { provisionSeconds, latencyMs, deletedListed = true } = behaviour;
    const folder = mkdtempSync(join(tmpdir(), "frontdoor-bench-"));
    const ready = join(folder, "ready.json");
    const settings = join(folder, "settings.json");
    writeFileSync(settings, JSON.stringify({ deletedListed, duplicateIngressPort: "allowed" }));
    const args = [
      ...["-r", "ts-node/register/transpile-only", "emulator/command.ts", "--port", "0", "--quiet"],
      ...["--provision", String(provisionSeconds), "--teardown", String(teardownSeconds(behaviour))],
      ...["--ready-file", ready, "--settings", settings],
    ];
    const child = spawn("node", args, { cwd: root, stdio: ["ignore", "ignore", "inherit"] });
    while (!existsSync(ready)) {
      if (child.exitCode !== null) throw new Error("the emulator did not start");
      await sleep(50);
    }
    await sleep(50);
    const { baseUrl } = JSON.parse(readFileSync(ready, "utf8")) as { baseUrl: string };
    const service = new BenchService(child, folder, baseUrl);
    await service.makeTunnel();
    if (latencyMs > 0) await service.admin("POST", "faults", { fault: "delay", delayMs: latencyMs, times: 1_000_000 });
    return service;
  }

  /** The requests since the last call. */
  async requests(): Promise<RequestEntry[]> {
    const all = (await this.admin("GET", "requests")) as RequestEntry[];
    const fresh = all.slice(this.seen);
    this.seen = all.length;
    return fresh;
  }

  stop(): void {
    this.child.kill();
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** The shares' tunnel; the first one the emulator makes is tnl-1. */
  private async makeTunnel(): Promise<void> {
    const response = await fetch(`${this.baseUrl}/v2/fd-1/ipsec-tunnels`, {
      method: "POST",
      headers: { authorization: "Bearer emulator-token", "content-type": "application/json" },
      body: JSON.stringify({ name: "hq", peerPublicIp: "203.0.113.7", peerCidr: "10.20.0.0/16" }),
    });
    if (!response.ok) throw new Error(`the tunnel was not made: ${response.status}`);
  }

  private async admin(method: string, path: string, body?: object): Promise<unknown> {
    const response = await fetch(`${new URL(this.baseUrl).origin}/_admin/${path}`, {
      method,
      headers: { "content-type": "application/json" },
      ...(body && { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status}`);
    return response.json();
  }
}

const tickMs = 10;
const sampleMs = 200;

/** What processes used; zero where the system does not tell (`/proc` is Linux's). */
export interface Usage {
  cpuMs: number;
  peakBytes: number;
}

interface Sample {
  parent: number;
  isProvider: boolean;
  cpuMs: number;
  peakBytes: number;
}

/** What a process and all that it started used. */
export interface Watched {
  all: Usage;
  provider: Usage;
}

/** Watches a process and all that it starts. */
function watchUsage(root: number): { stop(): Watched } {
  const seen = new Map<number, Sample>();
  const sample = () => {
    const processes = running();
    const ours = new Set([root]);
    for (let known = 0; known < ours.size;) {
      known = ours.size;
      for (const [pid, { parent }] of processes) if (ours.has(parent)) ours.add(pid);
    }
    for (const pid of ours) {
      const sample = processes.get(pid);
      // While a process ends neither its command line nor its memory is told any more.
      const { isProvider = false, peakBytes = 0 } = seen.get(pid) ?? {};
      if (sample)
        seen.set(pid, {
          ...sample,
          isProvider: sample.isProvider || isProvider,
          peakBytes: Math.max(sample.peakBytes, peakBytes),
        });
    }
  };
  const timer = setInterval(sample, sampleMs);
  return {
    stop() {
      clearInterval(timer);
      return { all: summed([...seen.values()]), provider: providers(seen) };
    },
  };
}

/** Watches a command from its start to its end. @throws Error if it fails. */
export async function timed(name: string, begin: () => Running): Promise<Watched & { wallMs: number; text: string }> {
  const startedMs = performance.now();
  const running = begin();
  const usage = watchUsage(running.pid);
  const { code, text } = await running.end;
  const wallMs = performance.now() - startedMs;
  const used = usage.stop();
  if (code !== 0) throw new Error(`${name} ended with ${code}:\n${text}`);
  return { wallMs, text, ...used };
}

const providers = (seen: Map<number, Sample>) => summed([...seen.values()].filter(({ isProvider }) => isProvider));

const summed = (samples: Sample[]): Usage => ({
  cpuMs: samples.reduce((sum, { cpuMs }) => sum + cpuMs, 0),
  peakBytes: samples.reduce((sum, { peakBytes }) => sum + peakBytes, 0),
});

function running(): Map<number, Sample> {
  let pids: number[] = [];
  try {
    pids = readdirSync("/proc").map(Number).filter(Number.isInteger);
  } catch {
    // Not Linux.
  }
  const samples = pids
    .sort((a, b) => a - b)
    .flatMap((pid): [number, Sample][] => {
      const sample = sampled(pid);
      return sample ? [[pid, sample]] : [];
    });
  return new Map(samples);
}

function sampled(pid: number): Sample | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const [, parent, ...rest] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    // utime and stime are the 14th and 15th field, the third being the state.
    const cpuMs = (Number(rest[9]) + Number(rest[10])) * tickMs;
    const peakKb = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
    const isProvider = /cmd\/dynamic-provider|pulumi-resource-(frontdoor|hello)/.test(
      readFileSync(`/proc/${pid}/cmdline`, "utf8"),
    );
    return { parent: Number(parent), isProvider, cpuMs, peakBytes: Number(peakKb ?? 0) * 1024 };
  } catch {
    return undefined;
  }
}
