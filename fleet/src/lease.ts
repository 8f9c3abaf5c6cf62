import type { ConnectionLike } from "@temporalio/client";
import type { Ends, Watch } from "./engine.ts";
import { firstPart } from "./silence.ts";

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
