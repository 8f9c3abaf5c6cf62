import { type Clock, type Until } from "../time/clock";
import { isTransient, seconds } from "../errors";
import { Durations, pauseAfter, tightestPauseMs, type Operation } from "../time/ticks";
import { type Ask, Gatherer } from "./gatherer";

/** What one look at a resource means to the one who waits for it. */
export type Acceptance<T> =
  { now: "done"; value: T } | { now: "waiting"; seen: string } | { now: "failed"; reason: string };

/** What a wait knows of its past when it judges: time since it began, and every status shown since. */
export interface History {
  waitedMs: number;
  statuses: ReadonlySet<string>;
}

/** Judges one look; `seen` is undefined while the service shows no such id. */
export type Acceptor<Seen, T> = (seen: Seen | undefined, history: History) => Acceptance<T>;

/** How a wait ended, with what was last seen; `unfinished` tells why in words. */
export type Ended<Seen, T> =
  | { now: "done"; value: T }
  | { now: "unfinished"; why: "failed" | "timed-out"; reason: string; last: Seen | undefined };

/** What a look has found: the resource, that there is none, its own trouble, or nothing this time. */
export type Found<Seen> = Seen | Error | "absent" | "untold";

/** What a wait asks a look for. */
export interface Awaited {
  id: string;
  /** It is waited for to go. */
  isLeaving: boolean;
  deadlineMs: number;
}

/** Tells each what it finds; never rejects. */
export type Look<Seen> = (asks: Ask<Awaited, Found<Seen>>[]) => unknown;

/** Waits for resources of one kind of one front door; their looks are gathered, so that many cost hardly more than one. */
export class Poller<Seen extends { status: string }> {
  private readonly gatherer: Gatherer<Awaited, Found<Seen>>;
  private readonly durations = new Durations();
  /** How many wait for each id. */
  private readonly waiting = new Map<string, number>();
  /** When a look last found something under way. */
  private underWayMs = -Infinity;
  /** One for all: of many the earliest would fire, and all would look early. */
  private readonly random: number;

  constructor(
    look: Look<Seen>,
    private readonly clock: Clock,
  ) {
    this.gatherer = new Gatherer(look, clock);
    this.random = clock.random();
  }

  /** True if anyone waits for any id. */
  get isWaiting(): boolean {
    return this.waiting.size > 0;
  }

  /**
   * Looks until the acceptor says done or failed, the deadline passes or the signal aborts; never rejects. The first look is at once,
   * after a millisecond for each that is waited for, or half a second after one that has found something under way; a later one goes
   * along with another from half of its pause on; the last one is on the deadline. Transient trouble ends no wait.
   */
  async wait<T>(id: string, acceptor: Acceptor<Seen, T>, until: Until, operation?: Operation): Promise<Ended<Seen, T>> {
    const count = (by: number) => {
      const waits = (this.waiting.get(id) ?? 0) + by;
      if (waits > 0) this.waiting.set(id, waits);
      else this.waiting.delete(id);
    };
    count(1);
    const ended = await this.lookUntilEnded(id, acceptor, until, operation);
    count(-1);
    return ended;
  }

  private async lookUntilEnded<T>(
    id: string,
    acceptor: Acceptor<Seen, T>,
    until: Until,
    operation: Operation | undefined,
  ): Promise<Ended<Seen, T>> {
    const startedMs = this.clock.now();
    const statuses = new Set<string>();
    const troubles = new Map<string, number>();
    let last: Seen | undefined;
    let status = "not yet seen";
    const unfinished = (why: "failed" | "timed-out", reason: string) =>
      ({ now: "unfinished", why, reason, last }) as const;

    let shortestMs = 0;
    for (let pauseMs = Math.max(this.waiting.size, this.underWayMs + tightestPauseMs - startedMs); ;) {
      const awaited = { id, isLeaving: operation === "delete", deadlineMs: until.deadlineMs };
      const found = await this.gatherer
        .ask(awaited, Math.min(pauseMs, until.deadlineMs - this.clock.now()), until.signal, shortestMs)
        .catch((error: unknown) => error as Error);
      if (until.signal?.aborted) return unfinished("timed-out", `the wait was stopped while it was ${status}`);
      const waitedMs = this.clock.now() - startedMs;
      if (found instanceof Error) {
        if (!isTransient(found)) return unfinished("failed", found.message);
        troubles.set(found.message, (troubles.get(found.message) ?? 0) + 1);
      } else if (found !== "untold") {
        const seen = found === "absent" ? undefined : found;
        last = seen ?? last;
        if (seen) statuses.add(seen.status);
        const verdict = acceptor(seen, { waitedMs, statuses });
        if (verdict.now === "done" && operation) this.durations.note(operation, waitedMs);
        if (verdict.now === "done") return verdict;
        if (verdict.now === "failed") return unfinished("failed", verdict.reason);
        status = verdict.seen;
      }
      this.underWayMs = this.clock.now();
      const begunMs = until.startedMs ?? startedMs;
      const tookMs = this.underWayMs - begunMs;
      if (this.underWayMs >= until.deadlineMs) return unfinished("timed-out", stillWaiting(status, tookMs, troubles));
      const typicalMs = operation && this.durations.typical(operation);
      until.report?.(progress(status, tookMs, typicalMs, until.deadlineMs - begunMs));
      pauseMs = pauseAfter(waitedMs, this.random, typicalMs);
      shortestMs = pauseMs / 2;
    }
  }
}

/** How a wait stands, in one line. */
const progress = (status: string, tookMs: number, typicalMs: number | undefined, limitMs: number): string =>
  [`${status} for ${seconds(tookMs)}`, typicalMs && `usually ${seconds(typicalMs)}`, `limit ${seconds(limitMs)}`]
    .filter(Boolean)
    .join(", ");

/** Why a wait ended without an end, with the trouble on the way. */
function stillWaiting(status: string, waitedMs: number, troubles: Map<string, number>): string {
  const all = [...troubles].map(([message, times]) => `${times} × ${message}`).join("; ");
  return `still ${status} after ${seconds(waitedMs)}${all === "" ? "" : ` (trouble on the way: ${all})`}`;
}
