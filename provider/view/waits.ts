import { tightestPauseMs } from "../consistency";
import { asReason, isTransient, limit, misfitCounter, seconds, troubleOf } from "../errors";
import { firstOf } from "../messages";
import { backoff, type Clock, type Until } from "../time";

/** The judgement of one read of a resource: the wait is done, continues or has failed. */
export type Acceptance<T> =
  { now: "done"; value: T } | { now: "waiting"; seen: string } | { now: "failed"; reason: string };

/**
 * Judges one read, which was asked for at `askedMs`. `seen` is undefined while the service does not show the id; `statuses` are all that the
 * wait has seen, this one included.
 */
export type Judge<Seen, T> = (seen: Seen | undefined, statuses: ReadonlySet<string>, askedMs: number) => Acceptance<T>;

/** The result of a wait, with the time at which its last read was asked for. If it is unfinished: the reason in words, and the entry that was seen last. */
export type Waited<Seen, T> = { askedMs: number } & (
  | { now: "done"; value: T }
  | {
      now: "unfinished";
      why: "failed" | "timed-out";
      reason: string;
      last: Seen | undefined;
      /** True if a read has failed, which says nothing about the resource. */
      isUnread?: boolean;
    }
);

/**
 * The result of one poll: the entry. `absent`: a read by id or a proof says that there is none. `unclear`: only a list lacks a new id, or a
 * 403 hides it.
 */
export type Found<Seen> = Seen | "absent" | "unclear";

/** The question of a wait to a poll. */
export interface Polled {
  id: string;
  startedMs: number;
  /** The write of this run that Frontdoor has just accepted: a POST, which has named the id, or a DELETE. */
  after: "POST" | "DELETE" | undefined;
  /** True if a list entry proves nothing, because it can leave out the field that is waited for. */
  isById: boolean;
  deadlineMs: number;
}

/** Asks the service, and returns an answer for each question in their order. */
export type Poll<Seen> = (asked: readonly Polled[]) => Promise<Found<Seen>>[];

/** What a wait may add to its question. */
type WaitOptions = Partial<Pick<Polled, "after" | "isById">>;

/** What the timer has to know of a wait. */
type AnyWait<Seen extends { status: string }> = Pick<Wait<Seen, unknown>, keyof Polled | "fromMs" | "dueMs" | "take">;

/**
 * Waits for resources of one kind of one front door. All share one timer: when one wait must be polled, all that may be are polled with it,
 * those included that begin before the rate limiter lets the poll go.
 */
export class Waits<Seen extends { status: string }> {
  /** The waits under way. */
  private readonly all = new Set<AnyWait<Seen>>();
  /** Those of which no poll is under way. */
  private readonly resting = new Set<AnyWait<Seen>>();
  private timer = { atMs: Infinity, control: new AbortController() };
  /** The time of the last poll that ended no wait. */
  private lastMs = -Infinity;
  /** The same random number for all waits. They poll together, so with a number each, the shortest pause would count for all. */
  private readonly random: number;

  constructor(
    private readonly poll: Poll<Seen>,
    private readonly clock: Clock,
    /** Waits until the rate limiter lets the next poll go. Never rejects. Without it, a poll has its ids before it waits. */
    private readonly turn: (until: Until) => Promise<void> = () => Promise.resolve(),
  ) {
    this.random = clock.random();
  }

  /** Returns the ids that anyone waits for. */
  get ids(): string[] {
    return [...this.all].map(({ id }) => id);
  }

  /**
   * Polls until the judge says done or failed, the deadline passes or the signal aborts; never rejects. The first poll comes
   * almost at once, or half a second after one that ended no wait. The last poll comes at the deadline. Transient trouble ends no wait,
   * unless the same misfit comes five times in a row, or the service asks for a pause that outlasts the deadline.
   */
  async wait<T>(id: string, judge: Judge<Seen, T>, until: Until, options: WaitOptions = {}): Promise<Waited<Seen, T>> {
    const { signal } = until;
    const wait = new Wait(id, judge, until, { ...options, nowMs: this.clock.now() });
    const stop = () => {
      wait.stop();
    };
    this.all.add(wait);
    signal?.addEventListener("abort", stop, { once: true });
    if (signal?.aborted) stop();
    // One millisecond later for each wait under way: the first timer then answers all that have begun by then.
    else this.rest(wait, Math.max(this.all.size, this.lastMs + tightestPauseMs - wait.startedMs), 0);
    const ended = await wait.ended;
    signal?.removeEventListener("abort", stop);
    this.all.delete(wait);
    this.resting.delete(wait);
    if (this.resting.size === 0) this.stopTimer();
    return ended;
  }

  /** Lets a wait rest: it is polled after the pause, or from a part of the pause on together with others. */
  private rest(wait: AnyWait<Seen>, pauseMs: number, part: number): void {
    const now = this.clock.now();
    const longestMs = Math.min(pauseMs, wait.deadlineMs - now);
    wait.fromMs = now + Math.min(pauseMs * part, longestMs);
    wait.dueMs = now + longestMs;
    this.resting.add(wait);
    void this.pollAt(wait.dueMs);
  }

  /** Polls at this time, unless the timer ends earlier. */
  private async pollAt(atMs: number): Promise<void> {
    if (atMs >= this.timer.atMs) return;
    this.stopTimer();
    const { signal } = (this.timer = { atMs, control: new AbortController() }).control;
    const isStopped = () => signal.aborted;
    await this.clock.sleep(atMs - this.clock.now(), signal);
    if (isStopped()) return;
    // No other poll begins until this one has its turn.
    this.timer.atMs = -Infinity;
    const deadlineMs = Math.min(...[...this.resting].map((wait) => wait.deadlineMs));
    await this.turn({ deadlineMs, signal });
    if (isStopped()) return;
    this.timer.atMs = Infinity;
    const now = this.clock.now();
    const due = [...this.resting].filter(({ fromMs }) => fromMs <= now);
    for (const wait of due) this.resting.delete(wait);
    void this.pollAt([...this.resting].reduce((earliestMs, { dueMs }) => Math.min(earliestMs, dueMs), Infinity));
    if (due.length === 0) return;
    const answers = this.poll(due);
    for (const [at, wait] of due.entries())
      void answers[at]
        ?.catch((error: unknown) => error as Error)
        .then((found) => {
          if (!this.all.has(wait)) return;
          const waitedMs = wait.take(found, now, this.clock.now());
          if (waitedMs === undefined) return;
          this.lastMs = this.clock.now();
          this.rest(wait, backoff(waitedMs, this.random), 0.5);
        });
  }

  private stopTimer(): void {
    // The default reason would be an error with a stack.
    this.timer.control.abort("stopped");
    this.timer.atMs = Infinity;
  }
}

/** The number of kinds of trouble that the end of a wait names. */
const mostTroubles = 3;

/** One wait, with all that its polls have found. */
class Wait<Seen extends { status: string }, T> implements Polled {
  /** The wait is polled at `dueMs`, or earlier together with others, but not before `fromMs`. */
  fromMs = 0;
  dueMs = 0;
  readonly startedMs;
  readonly after;
  readonly isById;
  readonly deadlineMs;
  /** Resolves with the end of the wait. */
  readonly ended: Promise<Waited<Seen, T>>;
  private end: (waited: Waited<Seen, T>) => void = () => undefined;
  private askedMs = -Infinity;
  private last: Seen | undefined;
  private status = "not yet seen";
  private readonly statuses = new Set<string>();
  private readonly troubles = new Map<string, number>();
  private readonly isHopeless = misfitCounter();

  constructor(
    readonly id: string,
    private readonly judge: Judge<Seen, T>,
    private readonly until: Until,
    { after, isById = false, nowMs }: WaitOptions & { nowMs: number },
  ) {
    this.startedMs = nowMs;
    this.after = after;
    this.isById = isById;
    this.deadlineMs = until.deadlineMs;
    this.ended = new Promise((resolve) => (this.end = resolve));
  }

  /** Takes the result of a poll that was asked at `askedMs`. Returns the time waited, or undefined if it ends the wait. */
  take(found: Found<Seen> | Error, askedMs: number, nowMs: number): number | undefined {
    const { until, deadlineMs, startedMs } = this;
    this.askedMs = askedMs;
    // The deadline of another wait that shares the poll can be earlier.
    const isOver = nowMs >= deadlineMs || (troubleOf(found)?.pauseMs ?? 0) > deadlineMs - nowMs;
    const begunMs = until.startedMs ?? startedMs;
    const ended = this.add(found) ?? (isOver ? this.timedOut(nowMs - begunMs) : undefined);
    if (ended) this.end(ended);
    if (ended) return undefined;
    until.report?.(`${this.status} for ${seconds(nowMs - begunMs)}, limit ${limit(deadlineMs - begunMs)}`);
    return nowMs - startedMs;
  }

  /** Ends the wait because the run was stopped. */
  stop(): void {
    this.end(this.unfinished("timed-out", `still ${this.status} when the run was stopped`));
  }

  /** Returns the end of the wait if this result of a poll means one. */
  private add(found: Found<Seen> | Error): Waited<Seen, T> | undefined {
    const isHopeless = this.isHopeless(found);
    if (found instanceof Error) {
      const reason = asReason(found.message);
      if (!isTransient(found) || isHopeless) return { ...this.unfinished("failed", reason), isUnread: true };
      this.troubles.set(reason, (this.troubles.get(reason) ?? 0) + 1);
      return undefined;
    }
    if (found === "unclear") return undefined;
    const seen = found === "absent" ? undefined : found;
    this.last = seen ?? this.last;
    if (seen) this.statuses.add(seen.status);
    const { askedMs } = this;
    const acceptance = this.judge(seen, this.statuses, askedMs);
    if (acceptance.now === "done") return { ...acceptance, askedMs };
    if (acceptance.now === "failed") return this.unfinished("failed", acceptance.reason);
    this.status = acceptance.seen;
    return undefined;
  }

  private timedOut(tookMs: number): Waited<Seen, T> {
    const kinds = [...this.troubles].map(([message, times]) => `${times} × ${message}`);
    // Each can have other words of the service.
    const all = firstOf(kinds, mostTroubles).join("; ");
    const trouble = all === "" ? "" : `, and some polls failed: ${all}`;
    return this.unfinished("timed-out", `still ${this.status} after ${seconds(tookMs)}${trouble}`);
  }

  private unfinished(why: "failed" | "timed-out", reason: string) {
    return { now: "unfinished", why, reason, last: this.last, askedMs: this.askedMs } as const;
  }
}
