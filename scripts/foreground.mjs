import { spawn } from "node:child_process";
import { SetUpError } from "./setup/progress.mjs";

const sameKeyMs = 1000;
const stops = ["SIGINT", "SIGTERM", "SIGHUP"];

/**
 * Turns Ctrl-C and its like into an orderly end: the command in the foreground is asked to stop and waited for, then the
 * caller's `finally` blocks run. A second Ctrl-C is passed on too; terminal and npm both telling of the same one count once.
 */
export function stopInOrder() {
  let child;
  let lastMs = 0;
  let stopped;
  let tellStopped;
  const untilStopped = new Promise((resolve) => (tellStopped = resolve));
  const onStop = (signal) => {
    const nowMs = Date.now();
    stopped ??= signal;
    tellStopped();
    if (child?.pid && nowMs - lastMs > sameKeyMs) child.kill("SIGINT");
    lastMs = nowMs;
  };
  for (const signal of stops) process.on(signal, onStop);

  /**
   * Runs a command with its output shown and gives its exit code. It has a process group of its own, so that it hears of
   * Ctrl-C from here alone; a command that asks questions (`asks`) has to stay in the terminal's.
   */
  async function run(command, args, { cwd, env, asks = false }) {
    if (stopped) throw new SetUpError(`stopped by ${stopped}`);
    child = spawn(command, args, {
      cwd,
      env,
      detached: !asks,
      stdio: [asks ? "inherit" : "ignore", "inherit", "inherit"],
    });
    if (asks && process.stdin.isTTY) child.kill = () => true;
    const code = await new Promise((resolve, reject) => {
      child.once("error", (error) => reject(new SetUpError(`${command} cannot be started: ${error.message}`)));
      child.once("close", (exitCode) => resolve(exitCode ?? 1));
    });
    child = undefined;
    return code;
  }

  return { run, untilStopped };
}
