import type { Clock, Until } from "../time/clock";
import { asReason, isTransient, limit, misfitCounter, seconds } from "../errors";
import { Durations, type Keep, pauseAfter, tightestPauseMs, type Operation } from "../time/ticks";
import { type Ask, Gatherer } from "./gatherer";

/** The decision about one read of a resource: the wait is done, continues or has failed. */
export type Acceptance<T> =
  { now: "done"; value: T } | { now: "waiting"; seen: string } | { now: "failed"; reason: string };

/** The past of a wait: the time since it began, and every status since. */
export interface History {
  waitedMs: number;
  statuses: ReadonlySet<string>;
}

/** Decides if one read ends a wait. `seen` is undefined while the service does not show the id. */
export type Acceptor<Seen, T> = (seen: Seen | undefined, history: History) => Acceptance<T>;

/** The result of a wait. If it is unfinished: the reason in words, and the entry that was seen last. */
export type Waited<Seen, T> =
  | { now: "done"; value: T }
  | { now: "unfinished"; why: "failed" | "timed-out"; reason: string; last: Seen | undefined };

/** The result of one poll: the entry. `absent`: a read by id or a proof says that there is none. `unlisted`: only a list lacks a new id. */
export type Found<Seen> = Seen | "absent" | "unlisted";

/** The question of a wait to a poll. */
export interface Polled {
  id: string;
  /** True if lists may not show the id yet. */
  mayBeLate: boolean;
  deadlineMs: number;
}

/** Answers each question, or fails it; never rejects. */
export type Poll<Seen> = (asks: Ask<Polled, Found<Seen>>[]) => unknown;

/** A list may lack a new id for this time, although a read by id shows it. */
const listsLagMs = 5_000;

/** Waits for resources of one kind of one front door. Many waits share their polls. */
export class Poller<Seen extends { status: string }> {
  private readonly gatherer: Gatherer<Polled, Found<Seen>>;
  private readonly durations: Durations;
  /** The number of waits for each id. */
  private readonly waits = new Map<string, number>();
  /** The time of the last poll that ended no wait. */
  private lastMs = -Infinity;
  /** The same random number for all waits. They poll together, so with a number each, the shortest pause would count for all. */
  private readonly random: number;

  constructor(
    poll: Poll<Seen>,
    private readonly clock: Clock,
    keep?: Keep,
  ) {
    this.durations = new Durations(keep);
    this.gatherer = new Gatherer(poll, clock);
    this.random = clock.random();
  }

  /** Returns the ids that anyone waits for. */
  get awaited(): string[] {
    return [...this.waits.keys()];
  }

  /**
   * Polls until the acceptor says done or failed, the deadline passes or the signal aborts; never rejects. The first poll comes at once,
   * or half a second after one that ended no wait. The last poll comes at the deadline. Transient trouble ends no wait, unless the same misfit comes five times in a row.
   */
  async wait<T>(
    id: string,
    acceptor: Acceptor<Seen, T>,
    until: Until,
    operation?: Operation,
  ): Promise<Waited<Seen, T>> {
    this.waits.set(id, (this.waits.get(id) ?? 0) + 1);
    const ended = await this.pollUntilEnded(id, acceptor, until, operation);
    const others = (this.waits.get(id) ?? 1) - 1;
    if (others > 0) this.waits.set(id, others);
    else this.waits.delete(id);
    return ended;
  }

  private async pollUntilEnded<T>(
    id: string,
    acceptor: Acceptor<Seen, T>,
    until: Until,
    operation: Operation | undefined,
  ): Promise<Waited<Seen, T>> {
    const { clock } = this;
    const { deadlineMs, signal } = until;
    const startedMs = clock.now();
    const begunMs = until.startedMs ?? startedMs;
    const course = new Course(acceptor);
    // Each wait makes the first pause a millisecond longer, so that waits that begin together poll together.
    let pauseMs = Math.max(this.waits.size, this.lastMs + tightestPauseMs - startedMs);
    for (let shortestMs = 0; ; shortestMs = pauseMs / 2) {
      const polled = { id, deadlineMs, mayBeLate: operation === "create" && clock.now() - startedMs < listsLagMs };
      const found = await this.gatherer
        .ask(polled, Math.min(pauseMs, deadlineMs - clock.now()), signal, shortestMs)
        .catch((error: unknown) => error as Error);
      if (signal?.aborted) return course.stopped();
      const waitedMs = clock.now() - startedMs;
      const ended = course.add(found, waitedMs);
      if (ended?.now === "done" && operation) this.durations.note(operation, waitedMs);
      if (ended) return ended;
      this.lastMs = clock.now();
      if (this.lastMs >= deadlineMs) return course.timedOut(this.lastMs - begunMs);
      const typicalMs = operation && this.durations.typical(operation);
      until.report?.(course.progress(this.lastMs - begunMs, typicalMs, deadlineMs - begunMs));
      pauseMs = pauseAfter(waitedMs, this.random, typicalMs);
    }
  }
}

/** The course of one wait: all that its polls have found. */
class Course<Seen extends { status: string }, T> {
  private last: Seen | undefined;
  private status = "not yet seen";
  private readonly statuses = new Set<string>();
  private readonly troubles = new Map<string, number>();
  private readonly isHopeless = misfitCounter();

  constructor(private readonly acceptor: Acceptor<Seen, T>) {}

  /** Returns the end of the wait if this result of a poll means one. */
  add(found: Found<Seen> | Error, waitedMs: number): Waited<Seen, T> | undefined {
    const isHopeless = this.isHopeless(found);
    if (found instanceof Error) {
      const reason = asReason(found.message);
      if (!isTransient(found) || isHopeless) return this.unfinished("failed", reason);
      this.troubles.set(reason, (this.troubles.get(reason) ?? 0) + 1);
      return undefined;
    }
    if (found === "unlisted") return undefined;
    const seen = found === "absent" ? undefined : found;
    this.last = seen ?? this.last;
    if (seen) this.statuses.add(seen.status);
    const acceptance = this.acceptor(seen, { waitedMs, statuses: this.statuses });
    if (acceptance.now === "done") return acceptance;
    if (acceptance.now === "failed") return this.unfinished("failed", acceptance.reason);
    this.status = acceptance.seen;
    return undefined;
  }

  stopped(): Waited<Seen, T> {
    return this.unfinished("timed-out", `still ${this.status} when the run was stopped`);
  }

  timedOut(tookMs: number): Waited<Seen, T> {
    const all = [...this.troubles].map(([message, times]) => `${times} × ${message}`).join("; ");
    const trouble = all === "" ? "" : `, and some polls failed: ${all}`;
    return this.unfinished("timed-out", `still ${this.status} after ${seconds(tookMs)}${trouble}`);
  }

  progress(tookMs: number, typicalMs: number | undefined, limitMs: number): string {
    const usually = typicalMs === undefined ? "" : `, usually ${seconds(typicalMs)}`;
    return `${this.status} for ${seconds(tookMs)}${usually}, limit ${limit(limitMs)}`;
  }

  private unfinished(why: "failed" | "timed-out", reason: string): Waited<Seen, T> {
    return { now: "unfinished", why, reason, last: this.last };
  }
}
