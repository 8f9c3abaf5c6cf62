/** What a wait is for: durations differ by it, and after a delete an id that is no longer listed is what is waited for. */
export type Operation = "create" | "update" | "delete";

const patientMs = 20_000;
const shortestPauseMs = 1_250;
const longestPauseMs = 15_000;

/**
 * The pause after having waited so long, where nothing is known of how long it will take: even while a few seconds are likely, then
 * a growing one, which from two minutes on stays below a thirteenth of the time waited; ±10 % so that runs do not march in step.
 */
export function pauseAfter(waitedMs: number, random: number): number {
  const growing = Math.max(Math.min(waitedMs / 7.5, 8_800), waitedMs * 0.072);
  const pauseMs = waitedMs < patientMs ? shortestPauseMs : Math.min(growing, longestPauseMs);
  return pauseMs * (0.9 + 0.2 * random);
}

const fewestSeen = 5;
const mostSeen = 11;
const marginShare = 0.1;
/** Beyond this ratio of the longest to the shortest, what was seen tells nothing. */
const widestSpread = 1.5;
const tightestPauseMs = 300;
const densestPauseMs = 1_700;
const longestIdleMs = 30_000;

/** How long operations of one kind took in this process; once enough of them agree, the next ones are looked at when they are due. */
export class Durations {
  private readonly seen = new Map<Operation, number[]>();
  /** Those of which one was seen under way: the next one will not be done at once either. */
  private readonly slow = new Set<Operation>();

  /** A look found an operation under way. */
  noteUnderWay(operation: Operation): void {
    this.slow.add(operation);
  }

  /** An operation was under way `sinceMs` after its begin, and done `atMs` after it. */
  note(operation: Operation, sinceMs: number, atMs: number): void {
    if (sinceMs === 0 && atMs < shortestPauseMs) this.slow.delete(operation);
    // Nothing was seen under way: it was done at some time before.
    const tookMs = sinceMs > 0 ? (sinceMs + atMs) / 2 : atMs * 0.8;
    this.seen.set(operation, [...(this.seen.get(operation) ?? []), tookMs].slice(-mostSeen));
  }

  /** The pause until the first look: none, unless it is known to take longer. */
  firstPause(operation: Operation | undefined): number {
    if (!operation) return 0;
    const due = this.due(operation);
    if (due) return Math.min(due.fromMs, 2 * shortestPauseMs);
    return this.slow.has(operation) ? shortestPauseMs : 0;
  }

  /** The pause until the next look at what has been waited for so long. */
  pauseAfter(operation: Operation | undefined, waitedMs: number, random: number): number {
    const pauseMs = pauseAfter(waitedMs, random);
    const due = operation && this.due(operation);
    if (!due) return pauseMs;
    const { fromMs, toMs } = due;
    if (waitedMs < fromMs) return Math.min(4 * pauseMs, longestIdleMs, fromMs - waitedMs + 1);
    const denseMs = Math.min(Math.max(fromMs / 25, tightestPauseMs), densestPauseMs);
    return Math.min(pauseMs, Math.max(denseMs, (waitedMs - toMs) / 4) * (0.9 + 0.2 * random));
  }

  /** When an operation is likely to end; undefined while too little is known. */
  private due(operation: Operation): { fromMs: number; toMs: number } | undefined {
    const all = this.seen.get(operation) ?? [];
    if (all.length < fewestSeen) return undefined;
    const sorted = all.toSorted((a, b) => a - b);
    const inner = sorted.length > fewestSeen + 1 ? sorted.slice(1, -1) : sorted;
    const [shortest = 0, longest = 0] = [inner[0], inner.at(-1)];
    const middle = inner[Math.floor(inner.length / 2)] ?? 0;
    if (longest > shortest * widestSpread && longest > shortestPauseMs) return undefined;
    return {
      fromMs: Math.min(shortest, middle * (1 - marginShare)),
      toMs: Math.max(longest, middle * (1 + marginShare)),
    };
  }
}
