import type { ConnectionLike } from "@temporalio/client";
import type { Ends, Watch } from "./engine.ts";
import { firstPart } from "./silence.ts";

const pingMs = 2000;
const answerMs = 5000;

/**
 * Knows how long Temporal has not been reached. After `lostAfterSeconds` it gives a worker's stacks to another one, so by then the
 * engines here have ended: in order from half of that time on. The watch is told of each answer, and kills them after three quarters, also
 * where this process is frozen.
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

  /** Ends for one operation's engine, by cancellation or by silence; `close` stops looking. */
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
