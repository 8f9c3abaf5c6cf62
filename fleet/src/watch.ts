// Ends the engines of a worker that is gone: the worker writes `+pid` and `-pid`, and the pipe ends with it, however it ended.
import { createInterface } from "node:readline";

const engines = new Set<number>();
createInterface({ input: process.stdin })
  .on("line", (line) => {
    if (line.startsWith("+")) engines.add(Number(line.slice(1)));
    else engines.delete(Number(line.slice(1)));
  })
  .on("close", () => {
    for (const pid of engines) {
      try {
        process.kill(pid, "SIGKILL");
      } catch {
        // It has ended by itself.
      }
    }
  });
