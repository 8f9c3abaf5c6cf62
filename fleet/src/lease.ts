import type { ConnectionLike } from "@temporalio/client";
import type { Ends } from "./engine.ts";

const pingMs = 2000;
const answerMs = 5000;

/**
 * Knows how long Temporal has not been reached. After `lostAfterSeconds` it gives a worker's stacks to another one, so by then the
 * engines here have ended: in order from half of that time on, at once after three quarters.
 */
export class Lease {
  private lastMs = performance.now();
  private readonly timer: NodeJS.Timeout;

  constructor(connection: ConnectionLike) {
    const ping = () =>
      connection
        .withDeadline(Date.now() + answerMs, () => connection.workflowService.getSystemInfo({}))
        .then(
          () => (this.lastMs = performance.now()),
          () => undefined,
        );
    this.timer = setInterval(() => void ping(), pingMs);
  }

  /** Ends for one operation's engine, by cancellation or by silence; `close` stops looking. */
  ends(lostAfterSeconds: number, cancelled: AbortSignal): Ends & { close(): void } {
    const silence = new AbortController();
    const atOnce = new AbortController();
    const look = setInterval(() => {
      const silent = (performance.now() - this.lastMs) / 1000 / lostAfterSeconds;
      if (silent > 0.5) silence.abort();
      if (silent > 0.75) atOnce.abort();
    }, 500);
    return {
      inOrder: AbortSignal.any([silence.signal, cancelled]),
      atOnce: atOnce.signal,
      close: () => {
        clearInterval(look);
      },
    };
  }

  close(): void {
    clearInterval(this.timer);
  }
}
