import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { killFraction } from "./times";

const pollMs = 500;

/**
 * The work of the watchdog's process: the lines are `+pid seconds`, `-pid`, and `beat`. The pipe ends with the worker, however the worker ended.
 * Then, or after a silence, it kills the engines.
 */
export function runWatchdog(lines: Readable, kill: (pid: number) => void): void {
  const engines = new Map<number, number>();
  let lastMs = performance.now();
  const end = (pid: number) => {
    engines.delete(pid);
    kill(pid);
  };
  const poll = setInterval(() => {
    const silentSeconds = (performance.now() - lastMs) / 1000;
    for (const [pid, lostAfterSeconds] of engines) if (silentSeconds > killFraction * lostAfterSeconds) end(pid);
  }, pollMs);
  createInterface({ input: lines })
    .on("line", (line) => {
      const [pid = 0, lostAfterSeconds = 0] = line.slice(1).split(" ").map(Number);
      if (line === "beat") lastMs = performance.now();
      else if (line.startsWith("+")) engines.set(pid, lostAfterSeconds);
      else engines.delete(pid);
    })
    .on("close", () => {
      clearInterval(poll);
      for (const pid of engines.keys()) end(pid);
    });
}

if (require.main === module)
  runWatchdog(process.stdin, (pid) => {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // It has ended by itself.
    }
  });
