/** The operation that a wait belongs to. Its usual duration depends on it. */
export type Operation = "create" | "update" | "delete";

/** The shortest pause: closer polls are not worth their requests. */
export const tightestPauseMs = 500;

/**
 * Returns the pause until the next poll. `waitedMs` is the time since the wait began.
 *
 * - Without a typical duration: a tenth of the time waited, from 1 to 15 s.
 * - Until nine tenths of the typical duration: the time until then, from 0.5 to 15 s.
 * - Later: a 25th of the time waited, from 0.5 to 15 s.
 *
 * `random`, from 0 to 1, changes the first and the last by up to a tenth: runs must not poll in step.
 */
export function pauseAfter(waitedMs: number, random: number, typicalMs?: number): number {
  const chance = 0.9 + 0.2 * random;
  if (typicalMs === undefined) return clamped(waitedMs / 10, 1_000) * chance;
  const restMs = 0.9 * typicalMs - waitedMs;
  return restMs > 0 ? clamped(restMs, tightestPauseMs) : clamped(waitedMs / 25, tightestPauseMs) * chance;
}

const clamped = (ms: number, leastMs: number) => Math.min(Math.max(ms, leastMs), 15_000);

/** Gets the time that an operation has taken. */
export type Keep = (operation: Operation, tookMs: number) => void;

/** Records how long the operations of each kind have taken in this run. */
export class Durations {
  private readonly seen = new Map<Operation, number[]>();

  /** `keep` gets each time, for later runs. */
  constructor(private readonly keep: Keep = () => undefined) {}

  note(operation: Operation, tookMs: number): void {
    this.keep(operation, tookMs);
    this.seen.set(
      operation,
      [...(this.seen.get(operation) ?? []), tookMs].sort((a, b) => a - b),
    );
  }

  /** Returns the median; undefined if no such operation has ended. */
  typical(operation: Operation): number | undefined {
    const sorted = this.seen.get(operation) ?? [];
    return sorted[Math.floor(sorted.length / 2)];
  }
}
