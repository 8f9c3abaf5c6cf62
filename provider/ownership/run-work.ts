import type { Clock } from "../time/clock";

/** A program has declared all that it can for now once it has declared nothing for so long. */
const undeclaredMs = 5_000;
const lookMs = 500;

/**
 * What a run is asked to do. The engine deletes what is no longer declared after all else, and not at all where something has failed;
 * what deletes by itself keeps to the same: so long as something is under way, what depends on it is yet to be declared.
 */
export class RunWork {
  private underWay = 0;
  private deleting = 0;
  private hasFailed = false;
  private changedMs = -Infinity;

  constructor(private readonly clock: Clock) {}

  /** The program has declared something. */
  declared(): void {
    this.changedMs = this.clock.now();
  }

  /** Counts an operation for as long as it takes. */
  async during<Result extends { unfinished?: unknown } | undefined>(operation: () => Promise<Result>): Promise<Result> {
    this.underWay += 1;
    try {
      const result = await operation();
      this.hasFailed ||= result?.unfinished !== undefined;
      return result;
    } catch (error) {
      this.hasFailed = true;
      throw error;
    } finally {
      this.underWay -= 1;
      this.declared();
    }
  }

  /**
   * To be asked once by each operation that deletes: true once all others are done or ask this, too, false as soon as one has failed
   * or the run is stopped.
   */
  async isDone(signal?: AbortSignal): Promise<boolean> {
    this.deleting += 1;
    const leftMs = () => this.changedMs + undeclaredMs - this.clock.now();
    const isStopped = () => this.hasFailed || signal?.aborted === true;
    while (!isStopped() && (this.underWay > this.deleting || leftMs() > 0))
      await this.clock.sleep(Math.max(lookMs, leftMs()), signal);
    return !isStopped();
  }
}
