import { spawn } from "node:child_process";
import { clearInterval, setInterval } from "node:timers";

const heartbeatSeconds = 10;

/** What a user can do something about: shown without a stack. */
export class SetUpError extends Error {}

const elapsed = (startedMs) => `${((Date.now() - startedMs) / 1000).toFixed(1)} s`;

/** Runs one long step with a line at its start, a sign of life every ten seconds and a line at its end. */
export async function step(title, work) {
  const startedMs = Date.now();
  console.error(`${title} …`);
  const heartbeat = setInterval(() => console.error(`  still at it, ${elapsed(startedMs)}`), heartbeatSeconds * 1000);
  try {
    const result = await work();
    console.error(`  done in ${elapsed(startedMs)}`);
    return result;
  } finally {
    clearInterval(heartbeat);
  }
}

/** Runs a command and keeps its output to itself; when it fails, the error ends with what it said, its middle cut out. */
export function run(command, args, { cwd, env = process.env, input } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, env, stdio: [input === undefined ? "ignore" : "pipe", "pipe", "pipe"] });
    let stdout = "";
    let said = "";
    child.stdout.on("data", (chunk) => ((stdout += chunk), (said += chunk)));
    child.stderr.on("data", (chunk) => (said += chunk));
    child.on("error", (error) => reject(new SetUpError(`${command} cannot be started: ${error.message}`)));
    child.on("close", (code, signal) => {
      if (code === 0) return resolve(stdout);
      const what = [command, ...args.slice(0, 2)].join(" ");
      reject(new SetUpError(`${what} failed (${signal ?? `exit code ${code}`}):\n${shorten(said)}`));
    });
    if (input !== undefined) child.stdin.end(input);
  });
}

function shorten(text) {
  const lines = text
    .trimEnd()
    .split("\n")
    .filter((line) => !line.startsWith("npm warn"));
  return (lines.length <= 40 ? lines : [...lines.slice(0, 20), "…", ...lines.slice(-20)]).join("\n");
}

/** Runs a script's main function; its failure becomes text on stderr and exit code 1. */
export async function runMain(main) {
  try {
    process.exitCode = (await main()) ?? 0;
  } catch (error) {
    console.error(error instanceof SetUpError ? `\nerror: ${error.message}` : error);
    process.exitCode = 1;
  }
}
