import { execFileSync } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";

export interface Process {
  pid: number;
  parent: number;
  command: string;
}

function running(): Process[] {
  const text = execFileSync("ps", ["-A", "-o", "pid=,ppid=,args="], { encoding: "utf8", maxBuffer: 64 * 1024 * 1024 });
  return text.split("\n").flatMap((line) => {
    const [, pid, parent, command = ""] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? [];
    return pid === undefined ? [] : [{ pid: Number(pid), parent: Number(parent), command }];
  });
}

/** All processes that a process has started, and those that they have started. */
export function descendants(pid: number): Process[] {
  const all = running();
  const found: Process[] = [];
  for (let parents = [pid]; parents.length > 0;) {
    const children = all.filter(({ parent }) => parents.includes(parent));
    found.push(...children);
    parents = children.map((child) => child.pid);
  }
  return found;
}

export const isProvider = ({ command }: Process): boolean => /dynamic-provider|pulumi-resource-frontdoor/.test(command);

/** Ends a process at once, or sends it another signal; one that is gone already is left alone. */
export function kill(pid: number, signal: NodeJS.Signals = "SIGKILL"): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

/** Those of the processes that still run after a while, the same command under the same id. */
export async function lingering(processes: Process[], waitMs: number): Promise<Process[]> {
  for (const endMs = performance.now() + waitMs; ;) {
    const all = running();
    const left = processes.filter((one) => all.some(({ pid, command }) => pid === one.pid && command === one.command));
    if (left.length === 0 || performance.now() > endMs) return left;
    await sleep(200);
  }
}
