import type { Clock, Until } from "../time/clock";

/** One that waits and is late already still gets this much. */
const leastMs = 1_000;

/** One piece of work for all who ask while it runs: each waits for it until its own deadline, and it is repeated until the last one's. */
export class Shared<T> {
  private running: { result: Promise<T>; until: Until } | undefined;

  constructor(
    private readonly clock: Clock,
    /** Looks at the deadline each time anew: it moves with those who wait. */
    private readonly work: (until: Until) => Promise<T>,
  ) {}

  /** What the work gives. @throws what it throws, or `late()` at the deadline of the one who asks. */
  async result({ deadlineMs, signal }: Until, late: () => Error): Promise<T> {
    const running = (this.running ??= this.begun(deadlineMs));
    running.until.deadlineMs = Math.max(running.until.deadlineMs, deadlineMs);
    const ended = new AbortController();
    const leftMs = Math.max(deadlineMs - this.clock.now(), leastMs);
    const signals = signal ? [signal, ended.signal] : [ended.signal];
    const over = this.clock.sleep(leftMs, AbortSignal.any(signals)).then(() => {
      throw late();
    });
    return Promise.race([running.result, over]).finally(() => {
      ended.abort();
    });
  }

  private begun(deadlineMs: number) {
    const until = { deadlineMs };
    const result = this.work(until).finally(() => {
      this.running = undefined;
    });
    // Nobody may be waiting any more when it fails.
    result.catch(() => undefined);
    return { result, until };
  }
}
