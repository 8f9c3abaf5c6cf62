import type { Clock } from "../clock";

const secondMs = 1_000;
/** The service counts by its own clock: a learned limit is kept with some room. */
const learnedWindowMs = 1_150;
const forgetMs = 60_000;

/**
 * Lets calls through one after the other, no more than so many in any one second, and none during a pause the service asked for.
 * Where the service limits the rate (429), no more go through in a second than it had let through, until a minute has passed without.
 */
export class Pace {
  /** When the last calls were let through. */
  private recent: number[] = [];
  /** When the last calls were let through that the service did not turn away. */
  private accepted: number[] = [];
  private learned: { perSecond: number; sinceMs: number } | undefined;
  private pausedUntilMs = 0;
  private last: Promise<void> = Promise.resolve();

  constructor(
    private readonly perSecond: number,
    private readonly clock: Clock,
  ) {}

  /** Resolves when the next call may be sent. */
  turn(signal?: AbortSignal): Promise<void> {
    this.last = this.last.then(() => this.slot(signal));
    return this.last;
  }

  /** Told of every answer: whether the service turned the call away for coming too fast. */
  answered(isTooFast: boolean): void {
    const now = this.clock.now();
    this.accepted = this.accepted.filter((atMs) => atMs > now - secondMs);
    if (!isTooFast) this.accepted.push(now);
    else
      this.learned = {
        perSecond: Math.max(1, Math.min(this.accepted.length, this.learned?.perSecond ?? Infinity)),
        sinceMs: now,
      };
  }

  /** No call before so many milliseconds have passed: a `Retry-After` holds for all calls. */
  pause(ms: number): void {
    this.pausedUntilMs = Math.max(this.pausedUntilMs, this.clock.now() + ms);
  }

  private async slot(signal: AbortSignal | undefined): Promise<void> {
    for (;;) {
      const now = this.clock.now();
      const freeMs = Math.max(this.freeMs(now), this.pausedUntilMs);
      if (freeMs <= now || signal?.aborted) break;
      await this.clock.sleep(freeMs - now, signal);
    }
    this.recent.push(this.clock.now());
  }

  /** When one more call stays below the limit. */
  private freeMs(now: number): number {
    if (this.learned && now - this.learned.sinceMs > forgetMs) this.learned = undefined;
    const perSecond = Math.min(this.perSecond, this.learned?.perSecond ?? Infinity);
    const most = Math.max(1, Math.floor(perSecond));
    const windowMs = this.learned ? learnedWindowMs : secondMs / Math.min(1, perSecond);
    this.recent = this.recent.slice(-Math.ceil(this.perSecond));
    return (this.recent.at(-most) ?? -Infinity) + windowMs;
  }
}
