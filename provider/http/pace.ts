import type { Clock } from "../clock";

/** Lets calls through at no more than so many in any one second, and not at all during a pause the service asked for. */
export class Pace {
  /** When the last calls were let through, as many as one second may hold. */
  private readonly recent: number[] = [];
  private pausedUntilMs = 0;

  constructor(
    private readonly perSecond: number,
    private readonly clock: Clock,
  ) {}

  /** Resolves when the next call may be sent. */
  async turn(signal?: AbortSignal): Promise<void> {
    const now = this.clock.now();
    const most = Math.max(1, Math.floor(this.perSecond));
    const windowMs = (1000 * most) / this.perSecond;
    const full = this.recent.length >= most ? (this.recent.shift() ?? 0) + windowMs : 0;
    const mine = Math.max(now, full, this.pausedUntilMs);
    this.recent.push(mine);
    await this.clock.sleep(mine - now, signal);
    while (this.pausedUntilMs > this.clock.now() && signal?.aborted !== true) {
      await this.clock.sleep(this.pausedUntilMs - this.clock.now(), signal);
    }
  }

  /** No call before so many milliseconds have passed: a `Retry-After` holds for all calls. */
  pause(ms: number): void {
    this.pausedUntilMs = Math.max(this.pausedUntilMs, this.clock.now() + ms);
  }
}
