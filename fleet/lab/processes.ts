import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

/** A process of the lab with its output in a file. */
export class Process {
  readonly child: ChildProcess;
  readonly ended: Promise<number | null>;

  constructor(
    command: string,
    args: string[],
    { cwd, env, log }: { cwd: string; env?: NodeJS.ProcessEnv; log: string },
  ) {
    const output = openSync(log, "a", 0o600);
    this.child = spawn(command, args, { cwd, env, stdio: ["ignore", output, output] });
    closeSync(output);
    this.ended = new Promise((resolve) => {
      this.child.once("error", () => {
        resolve(null);
      });
      this.child.once("exit", resolve);
    });
  }

  /** Asks it to end, and kills it after a while. */
  async stop(patienceMs = 30_000): Promise<void> {
    this.child.kill("SIGTERM");
    const late = await Promise.race([this.ended.then(() => false), sleep(patienceMs, true, { ref: false })]);
    if (late) await this.kill();
  }

  async kill(): Promise<void> {
    this.child.kill("SIGKILL");
    await this.ended;
  }
}

/** Asks time and again until the answer is not undefined. @throws Error after a while, with what was waited for */
export async function until<T>(
  what: string,
  ask: () => T | undefined | Promise<T | undefined>,
  patienceMs = 120_000,
): Promise<T> {
  for (const endMs = performance.now() + patienceMs; performance.now() < endMs;) {
    const answer = await ask();
    if (answer !== undefined) return answer;
    await sleep(200);
  }
  throw new Error(`waited in vain for ${what}`);
}
