import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import type { ConnectionLike } from "@temporalio/client";
import { beside } from "./connection";
import { firstPart } from "./times";

/** The two ways to end an operation's engine: in order, as by Ctrl-C, or at once by the watch. */
export interface Ends {
  inOrder: AbortSignal;
  /** The seconds of silence after which another worker gets the stack. */
  lostAfterSeconds: number;
}

const pingMs = 2000;
const answerMs = 5000;

/**
 * Measures how long Temporal has not answered. After `lostAfterSeconds` Temporal gives the stacks to another worker, so the engines here
 * must end before. The lease ends them in order from half of that time on. The watch gets each answer, and kills them after three
 * quarters, also if this process is frozen.
 */
export class Lease {
  private lastMs = performance.now();
  private readonly timer: NodeJS.Timeout;

  constructor(connection: ConnectionLike, watch: Watch) {
    const ping = () =>
      connection
        .withDeadline(Date.now() + answerMs, () => connection.workflowService.getSystemInfo({}))
        .then(
          () => {
            this.lastMs = performance.now();
            watch.beat();
          },
          () => undefined,
        );
    this.timer = setInterval(() => void ping(), pingMs);
  }

  /** Returns the ends of one operation's engine, by cancellation or by silence. `close` stops the check. */
  ends(lostAfterSeconds: number, cancelled: AbortSignal): Ends & { close(): void } {
    const silence = new AbortController();
    const look = setInterval(() => {
      const silentSeconds = (performance.now() - this.lastMs) / 1000;
      if (silentSeconds > firstPart * lostAfterSeconds) silence.abort();
    }, 500);
    return {
      inOrder: AbortSignal.any([silence.signal, cancelled]),
      lostAfterSeconds,
      close: () => {
        clearInterval(look);
      },
    };
  }

  close(): void {
    clearInterval(this.timer);
  }
}

/** Ends the engines of this worker if the worker ends, is frozen or silent, because another worker can then get its stacks. Its process is watch.ts. */
export class Watch {
  private readonly child: ChildProcess;
  /** Resolves when the watch ends. The worker must stop then, because nothing would end its engines. */
  readonly ended: Promise<unknown>;

  constructor() {
    // Detached: a Ctrl-C in the worker's terminal is not for it.
    this.child = spawn(process.execPath, [beside("watch")], {
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
