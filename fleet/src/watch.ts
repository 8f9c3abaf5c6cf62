import { createInterface } from "node:readline";
import { lastPart } from "./operation";

/** The process of the watch: the lines are `+pid seconds`, `-pid`, and `beat`. The pipe ends with the worker, however the worker ended. */
function runWatch(): void {
  const engines = new Map<number, number>();
  let lastMs = performance.now();
  const end = (pid: number) => {
    engines.delete(pid);
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // It has ended by itself.
    }
  };
  const look = setInterval(() => {
    const silentSeconds = (performance.now() - lastMs) / 1000;
    for (const [pid, lostAfterSeconds] of engines) if (silentSeconds > lastPart * lostAfterSeconds) end(pid);
  }, 500);
  createInterface({ input: process.stdin })
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

runWatch();
