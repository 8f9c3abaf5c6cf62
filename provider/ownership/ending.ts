import type { Clock, Until } from "../time/clock";

/** What the engine has planned begins as soon as it has a worker for it: what has not is not going to, since another step failed. */
const beginsWithinMs = 30_000;

/** An operation of this run that others wait for. */
export class Ending {
  hasBegun = false;
  private hasEnded = false;
  /** Undefined where it ended well. */
  private readonly ended: Promise<Error | undefined>;
  private resolve: (error?: Error) => void = () => undefined;

  constructor() {
    this.ended = new Promise((resolve) => (this.resolve = resolve));
  }

  /** The first end counts. */
  end(error?: Error): void {
    this.hasEnded = true;
    this.resolve(error);
  }

  get isUnderWay(): boolean {
    return this.hasBegun && !this.hasEnded;
  }

  /** How it ended; an error too where it does not begin soon, or does not end in time. */
  async within(clock: Clock, until: Until): Promise<Error | undefined> {
    const stop = new AbortController();
    const signal = until.signal ? AbortSignal.any([until.signal, stop.signal]) : stop.signal;
    const leftMs = Math.max(until.deadlineMs - clock.now(), 0);
    const tooLate = async () => {
      await clock.sleep(Math.min(beginsWithinMs, leftMs), signal);
      if (!this.hasBegun && beginsWithinMs < leftMs) return new Error("it has not begun");
      await clock.sleep(leftMs - beginsWithinMs, signal);
      return new Error("it has not ended in time");
    };
    const error = await Promise.race([this.ended, tooLate()]);
    stop.abort();
    return error;
  }
}
