// Ends the engines of a worker that is gone, frozen, or cut off from Temporal. The worker writes `+pid seconds` and `-pid`, and `beat` after each of Temporal's
// answers; the pipe ends with it, however it ended.
import { createInterface } from "node:readline";
import { lastPart } from "./silence.ts";

/** The seconds of silence after which another worker gets an engine's stack, by the engine's process. */
const engines = new Map<number, number>();
let lastMs = performance.now();

function end(pid: number): void {
  engines.delete(pid);
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has ended by itself.
  }
}

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
