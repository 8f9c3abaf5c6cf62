import { readdirSync, readFileSync } from "node:fs";
import type { Running } from "../tests/harness/command";

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
  const look = () => {
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
  const timer = setInterval(look, sampleMs);
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
