/** What a wait is for: durations differ by it, and after a delete an id that is no longer listed is what is waited for. */
export type Operation = "create" | "update" | "delete";

const patientMs = 20_000;
const shortestPauseMs = 1_250;
const longestPauseMs = 15_000;
const densestPauseMs = 1_500;
const longestIdleMs = 40_000;
/** Looks closer together than this are not worth their requests. */
export const tightestPauseMs = 300;
/** Of the time waited: for what was begun before anything was known, the few that have ended tell little of those that have not. */
const earlyPauseShare = 0.03;

/** When operations of one kind are likely to end, from their begin. */
export interface Aim {
  fromMs: number;
  toMs: number;
}

/**
 * The pause after having waited so long, where nothing is known of how long it will take: even while a few seconds are likely, then
 * a growing one, which from two minutes on stays below a thirteenth of the time waited; ±10 % so that runs do not march in step.
 */
export function pauseAfter(waitedMs: number, random: number): number {
  const growing = Math.max(Math.min(waitedMs / 7.5, 8_800), waitedMs * 0.072);
  const pauseMs = waitedMs < patientMs ? shortestPauseMs : Math.min(growing, longestPauseMs);
  return pauseMs * (0.9 + 0.2 * random);
}

/** The same where it is known when it is likely to end; `isEarly` where that was not known yet at its begin. */
export function aimedPauseAfter({ fromMs, toMs }: Aim, isEarly: boolean, waitedMs: number, random: number): number {
  const pauseMs = pauseAfter(waitedMs, random);
  const tightMs = Math.min(Math.max(fromMs / 25, tightestPauseMs), densestPauseMs);
  const denseMs = isEarly ? Math.max(tightMs, waitedMs * earlyPauseShare) : tightMs;
  if (waitedMs < fromMs) return Math.min(4 * pauseMs, longestIdleMs, Math.max(fromMs - waitedMs + 1, denseMs));
  return Math.min(pauseMs, Math.max(denseMs, (waitedMs - toMs) / 4) * (0.9 + 0.2 * random));
}

const fewestSeen = 5;
const mostSeen = 23;
const marginShare = 0.1;
/** Beyond this ratio of the longest to the shortest, what was seen tells nothing. */
const widestSpread = 1.5;

/** How long operations of one kind took in this process; once enough of them agree, the next ones are looked at when they are due. */
export class Durations {
  /** In the order in which they began: of those that begin together, the last ones to end are all long. */
  private readonly seen = new Map<Operation, { order: number; tookMs: number }[]>();
  /** Those of which one was seen under way: the next one will not be done at once either. */
  private readonly slow = new Set<Operation>();

  /** A look found an operation under way. */
  noteUnderWay(operation: Operation): void {
    this.slow.add(operation);
  }

  /** An operation, so many others having begun before it, was under way `sinceMs` after its begin, and done `atMs` after it. */
  note(operation: Operation, order: number, sinceMs: number, atMs: number): void {
    if (sinceMs === 0 && atMs < shortestPauseMs) this.slow.delete(operation);
    const aim = this.aim(operation);
    // Before the likely time there is no look for long: that tells nothing of when one was done that is found as that time begins.
    const isInTime = aim !== undefined && sinceMs < aim.fromMs && atMs >= aim.fromMs && atMs <= aim.toMs;
    // Nothing was seen under way: it was done at some time before.
    const betweenMs = sinceMs > 0 ? (sinceMs + atMs) / 2 : atMs * 0.8;
    const tookMs = isInTime ? atMs : betweenMs;
    const all = [...(this.seen.get(operation) ?? []), { order, tookMs }].sort((a, b) => a.order - b.order);
    this.seen.set(operation, all.slice(-mostSeen));
  }

  /** The pause until the first look: none, unless it is known to take longer. */
  firstPause(operation: Operation | undefined): number {
    if (!operation) return 0;
    const aim = this.aim(operation);
    if (aim) return Math.min(aim.fromMs, 2 * shortestPauseMs);
    return this.slow.has(operation) ? shortestPauseMs : 0;
  }

  /**
   * When an operation is likely to end; undefined while too little is known, or where many of those that are still under way,
   * since the times given, have taken longer than that.
   */
  aim(operation: Operation, underWayMs: number[] = []): Aim | undefined {
    const all = this.seen.get(operation) ?? [];
    if (all.length < fewestSeen) return undefined;
    const sorted = all.map(({ tookMs }) => tookMs).sort((a, b) => a - b);
    const outliers = Math.floor((sorted.length + 1) / 8);
    const inner = sorted.slice(outliers, sorted.length - outliers);
    const [shortest = 0, longest = 0] = [inner[0], inner.at(-1)];
    const middle = inner[Math.floor(inner.length / 2)] ?? 0;
    if (longest > shortest * widestSpread && longest > shortestPauseMs) return undefined;
    const toMs = Math.max(longest, middle * (1 + marginShare));
    if (underWayMs.filter((ms) => ms > toMs).length > all.length / 2) return undefined;
    return { fromMs: Math.min(shortest, middle * (1 - marginShare)), toMs };
  }
}
