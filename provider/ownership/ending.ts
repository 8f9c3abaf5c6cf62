import { type Clock, inTime, type Until } from "../time/clock";

/** What the engine has planned begins as soon as it has a worker for it: what has not is not going to, since another step failed. */
const beginsWithinMs = 30_000;

/** An operation of this run that others wait for. */
export class Ending {
  hasBegun = false;
  private hasEnded = false;
  private resolve: (end: { error?: Error | undefined }) => void = () => undefined;
  private readonly ended = new Promise<{ error?: Error | undefined }>((resolve) => (this.resolve = resolve));

  /** Does it, and tells those who wait how it ended. */
  async during<Made>(work: () => Promise<Made>, troubleOf: (made: Made) => Error | undefined = () => undefined) {
    this.hasBegun = true;
    try {
      const made = await work();
      this.end(troubleOf(made));
      return made;
    } catch (error) {
      this.end(error as Error);
      throw error;
    }
  }

  /** The first end counts. */
  end(error?: Error): void {
    this.hasEnded = true;
    this.resolve({ error });
  }

  get isUnderWay(): boolean {
    return this.hasBegun && !this.hasEnded;
  }

  /** How it ended; an error too where it does not begin soon, or does not end in time. */
  async within(clock: Clock, until: Until): Promise<Error | undefined> {
    const beginsMs = Math.min(clock.now() + beginsWithinMs, until.deadlineMs);
    const early = await inTime(clock, { ...until, deadlineMs: beginsMs }, this.ended);
    if (early) return early.error;
    if (!this.hasBegun && beginsMs < until.deadlineMs) return new Error("it has not begun");
    const ended = await inTime(clock, until, this.ended);
    return ended ? ended.error : new Error("it has not ended in time");
  }
}
