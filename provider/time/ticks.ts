/** What a wait is for: how long it takes differs by it. */
export type Operation = "create" | "update" | "delete";

/** Looks closer together than this are not worth their requests. */
export const tightestPauseMs = 500;

/**
 * How long to wait until the next look, `waitedMs` after the begin. Where it is not known how long it takes: a tenth of the time
 * waited, from 1 to 15 s. Where it is: until nine tenths of the typical time, from then on a 25th of the time waited, from 0.5 to
 * 15 s. By chance (`random`, from 0 to 1) up to a tenth more or less, so that runs do not march in step.
 */
export function pauseAfter(waitedMs: number, random: number, typicalMs?: number): number {
  const chance = 0.9 + 0.2 * random;
  if (typicalMs === undefined) return clamped(waitedMs / 10, 1_000) * chance;
  const leftMs = 0.9 * typicalMs - waitedMs;
  return leftMs > 0 ? clamped(leftMs, tightestPauseMs) : clamped(waitedMs / 25, tightestPauseMs) * chance;
}

const clamped = (ms: number, leastMs: number) => Math.min(Math.max(ms, leastMs), 15_000);

/** How long the operations of each kind have taken in this run. */
export class Durations {
  /** The shortest first. */
  private readonly seen = new Map<Operation, number[]>();

  /** An operation was seen to be done so long after its begin. */
  note(operation: Operation, tookMs: number): void {
    const all = this.seen.get(operation) ?? [];
    const at = all.findIndex((each) => each > tookMs);
    all.splice(at === -1 ? all.length : at, 0, tookMs);
    this.seen.set(operation, all);
  }

  /** The median of what was seen; undefined where nothing was. */
  typical(operation: Operation): number | undefined {
    const all = this.seen.get(operation) ?? [];
    return all[Math.floor(all.length / 2)];
  }
}
