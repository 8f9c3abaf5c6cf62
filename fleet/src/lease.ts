import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import type { ConnectionLike } from "@temporalio/client";
import { modulePath } from "./temporal";
import { interruptFraction } from "./times";

/** When an engine is interrupted, as by Ctrl-C. If that comes too late, the watchdog kills it. */
export interface Interruption {
  signal: AbortSignal;
  /** The seconds of silence after which another worker gets the stack. */
  lostAfterSeconds: number;
}

const pingMs = 2000;
const answerMs = 5000;

/**
 * Measures how long Temporal has not answered. After `lostAfterSeconds` Temporal gives the stacks to another worker, so the engines here
 * must end before. The lease ends them in order from half of that time on. The watchdog gets each answer, and kills them after three
 * quarters, also if this process is frozen.
 */
export class Lease {
  private lastMs = performance.now();
  private readonly timer: NodeJS.Timeout;

  constructor(connection: ConnectionLike, watchdog: Watchdog) {
    const ping = () =>
      connection
        .withDeadline(Date.now() + answerMs, () => connection.workflowService.getSystemInfo({}))
        .then(
          () => {
            this.lastMs = performance.now();
            watchdog.beat();
          },
          () => undefined,
        );
    this.timer = setInterval(() => void ping(), pingMs);
  }

  /** Returns the interruption of one operation's engine, by cancellation or by silence. `close` stops the check. */
  interruption(lostAfterSeconds: number, cancelled: AbortSignal): Interruption & { close(): void } {
    const silence = new AbortController();
    const poll = setInterval(() => {
      const silentSeconds = (performance.now() - this.lastMs) / 1000;
      if (silentSeconds > interruptFraction * lostAfterSeconds) silence.abort();
    }, 500);
    return {
      signal: AbortSignal.any([silence.signal, cancelled]),
      lostAfterSeconds,
      close: () => {
        clearInterval(poll);
      },
    };
  }

  close(): void {
    clearInterval(this.timer);
  }
}

/** Kills the engines of this worker if the worker ends, is frozen or silent, because another worker can then get its stacks. Its process is watchdog.ts. */
export class Watchdog {
  private readonly child: ChildProcess;
  /** Resolves when the watchdog ends. The worker must stop then, because nothing would end its engines. */
  readonly ended: Promise<unknown>;

  constructor() {
    // Detached: a Ctrl-C in the worker's terminal is not for it.
    this.child = spawn(process.execPath, [modulePath("watchdog")], {
      detached: true,
      stdio: ["pipe", "ignore", "ignore"],
    });
    this.ended = once(this.child, "exit");
  }

  begun(pid: number, lostAfterSeconds: number): void {
    this.child.stdin?.write(`+${pid} ${lostAfterSeconds}\n`);
  }

  over(pid: number): void {
    this.child.stdin?.write(`-${pid}\n`);
  }

  /** Temporal has answered. */
  beat(): void {
    this.child.stdin?.write("beat\n");
  }

  close(): void {
    this.child.stdin?.end();
  }
}
