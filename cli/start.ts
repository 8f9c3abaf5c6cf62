import { once } from "node:events";
import { systemClock } from "../provider/time";
import { run } from "./main";

// A reader such as `head` can close the pipe early.
process.stdout.on("error", ({ code }: NodeJS.ErrnoException) => process.exit(code === "EPIPE" ? 0 : 1));

const { argv, env, stdin, stdout, stderr } = process;
const untilStopped = (signals: NodeJS.Signals[] = ["SIGINT", "SIGTERM"]) =>
  Promise.race(signals.map((signal) => once(process, signal)));

void run(argv.slice(2), { env, cwd: process.cwd(), stdin, stdout, stderr, clock: systemClock, untilStopped }).then(
  (code) => {
    process.exitCode = code;
  },
);
