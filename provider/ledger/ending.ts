import { type Clock, inTime, type Until } from "../time/clock";

/** A step that Pulumi has not started after this time waits for another step, or never starts because another step has failed. */
const startsWithinMs = 30_000;

/** The end of a move or a delete, which others wait for. */
export class Ending {
  isUnderWay = false;
  private hasBegun = false;
  private resolve: (end: { error?: Error | undefined }) => void = () => undefined;
  private readonly ended = new Promise<{ error?: Error | undefined }>((resolve) => (this.resolve = resolve));

  begin(): void {
    this.hasBegun = this.isUnderWay = true;
  }

  /** Ends the wait. Only the first call counts. */
  end(error?: Error): void {
    this.isUnderWay = false;
    this.resolve({ error });
  }

  /** Returns undefined once the step has succeeded, else the reason. Until the step begins, it may wait for another step of the tunnel. */
  async within(clock: Clock, until: Until, isOtherStepRunning: () => boolean): Promise<Error | undefined> {
    for (;;) {
      const checkMs = this.hasBegun ? until.deadlineMs : Math.min(clock.now() + startsWithinMs, until.deadlineMs);
      const ended = await inTime(clock, { ...until, deadlineMs: checkMs }, this.ended);
      if (ended) return ended.error;
      if (checkMs >= until.deadlineMs || until.signal?.aborted)
        return new Error("its change or delete did not end in time");
      if (!this.hasBegun && !isOtherStepRunning()) return new Error("Pulumi has not started its change or delete");
    }
  }
}
