import { seconds } from "../errors";
import { writesPerSecond } from "../http/pace";
import type { Service } from "../service";
import type { Until } from "../time/clock";

/** A run that will be sending for longer says so beforehand. */
const longMs = 10_000;
const reportEveryMs = 1_000;

/** Says how long the writes of a set will take, and how many of its shares are done. */
export class SetProgress {
  doneCount = 0;
  private reportedMs = -Infinity;

  constructor(
    private readonly service: Service,
    private readonly label: string,
    private readonly asked: Until,
  ) {}

  tellBeforehand(writes: number): void {
    const { requestsPerSecond } = this.service.config;
    const sendingMs = (writes / writesPerSecond(requestsPerSecond)) * 1000;
    if (sendingMs < longMs) return;
    this.service.say(
      `${this.label}: ${writes} shares to write, ${requestsPerSecond} requests a second: about ${seconds(sendingMs)} and what the service takes`,
    );
  }

  /** Reports once a second at the most: each wait of a share reports its polls. */
  report(count: number): void {
    const now = this.service.clock.now();
    if (now - this.reportedMs < reportEveryMs) return;
    this.reportedMs = now;
    this.asked.report?.(
      `${this.doneCount} of ${count} shares done after ${seconds(now - (this.asked.startedMs ?? now))}`,
    );
  }
}
