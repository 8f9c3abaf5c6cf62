import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { lastPart } from "./times";

const lookMs = 500;

/**
 * The work of the watch's process: the lines are `+pid seconds`, `-pid`, and `beat`. The pipe ends with the worker, however the worker ended.
 * Then, or after a silence, it kills the engines.
 */
export function watch(lines: Readable, kill: (pid: number) => void): void {
  const engines = new Map<number, number>();
  let lastMs = performance.now();
  const end = (pid: number) => {
    engines.delete(pid);
    kill(pid);
  };
  const look = setInterval(() => {
    const silentSeconds = (performance.now() - lastMs) / 1000;
    for (const [pid, lostAfterSeconds] of engines) if (silentSeconds > lastPart * lostAfterSeconds) end(pid);
  }, lookMs);
  createInterface({ input: lines })
    .on("line", (line) => {
      const [pid = 0, lostAfterSeconds = 0] = line.slice(1).split(" ").map(Number);
      if (line === "beat") lastMs = performance.now();
      else if (line.startsWith("+")) engines.set(pid, lostAfterSeconds);
      else engines.delete(pid);
    })
    .on("close", () => {
      clearInterval(look);
      for (const pid of engines.keys()) end(pid);
    });
}

if (require.main === module)
  watch(process.stdin, (pid) => {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // It has ended by itself.
    }
  });
