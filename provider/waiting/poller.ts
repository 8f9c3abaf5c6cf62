import type { Collection } from "../api/collection";
import { batches, type Listed, type Query } from "../api/lists";
import { asReason, FrontdoorError, isRefused, isTransient, limit, misfitCounter, seconds, troubleOf } from "../errors";
import { firstOf } from "../messages";
import { type Clock, type Operation, backoff, persist, type Until } from "../time";
import { type Acceptor, consistencyMs } from "./acceptors";

/** The result of a wait. If it is unfinished: the reason in words, and the entry that was seen last. */
export type Waited<Seen, T> =
  | { now: "done"; value: T }
  | { now: "unfinished"; why: "failed" | "timed-out"; reason: string; last: Seen | undefined };

/**
 * The result of one poll: the entry. `absent`: a read by id or a proof says that there is none. `unclear`: only a list lacks a new id, or a
 * 403 hides it.
 */
export type Found<Seen> = Seen | "absent" | "unclear";

/** The question of a wait to a poll. */
interface Polled {
  id: string;
  /** The start of the wait if a POST of this run has just named the id; -Infinity for any other wait. */
  newFromMs: number;
  /** True if a list entry proves nothing, because it can leave out the field that is waited for. */
  isById: boolean;
  deadlineMs: number;
}

/** Answers each question, or fails it; never rejects. */
export type Poll<Seen> = (asks: Ask<Polled, Found<Seen>>[]) => unknown;

/** A list may lack a new id for this time, although a read by id shows it. */
const listsLagMs = 5_000;

/** The pause after a poll that ended no wait. */
const tightestPauseMs = 500;

/** Waits for resources of one kind of one front door. Many waits share their polls. */
export class Poller<Seen extends { status: string }> {
  private readonly batcher: Batcher<Polled, Found<Seen>>;
  /** The number of waits for each id. */
  private readonly waits = new Map<string, number>();
  /** The time of the last poll that ended no wait. */
  private lastMs = -Infinity;
  /** The same random number for all waits. They poll together, so with a number each, the shortest pause would count for all. */
  private readonly random: number;

  constructor(
    poll: Poll<Seen>,
    private readonly clock: Clock,
  ) {
    this.batcher = new Batcher(poll, clock);
    this.random = clock.random();
  }

  /** Returns the ids that anyone waits for. */
  get awaited(): string[] {
    return [...this.waits.keys()];
  }

  /**
   * Polls until the acceptor says done or failed, the deadline passes or the signal aborts; never rejects. The first poll comes
   * almost at once, or half a second after one that ended no wait. The last poll comes at the deadline. Transient trouble ends no wait,
   * unless the same misfit comes five times in a row, or the service asks for a pause that outlasts the deadline.
   */
  async wait<T>(
    id: string,
    acceptor: Acceptor<Seen, T>,
    until: Until,
    operation?: Operation,
    isById = false,
  ): Promise<Waited<Seen, T>> {
    this.waits.set(id, (this.waits.get(id) ?? 0) + 1);
    const ended = await this.pollUntilEnded(id, acceptor, until, operation, isById);
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
    isById: boolean,
  ): Promise<Waited<Seen, T>> {
    const { clock } = this;
    const { deadlineMs, signal } = until;
    const startedMs = clock.now();
    const begunMs = until.startedMs ?? startedMs;
    const newFromMs = operation === "create" ? startedMs : -Infinity;
    const course = new Course(acceptor);
    // The first poll is due one millisecond later for each wait under way: the first timer then answers all that have begun by then.
    let [pauseMs, shortestMs] = [Math.max(this.waits.size, this.lastMs + tightestPauseMs - startedMs), 0];
    const ended = await persist(
      clock,
      until,
      ({ waitedMs }) => {
        until.report?.(course.progress(this.lastMs - begunMs, deadlineMs - begunMs));
        pauseMs = backoff(waitedMs, this.random);
        shortestMs = pauseMs / 2;
        return 0; // The batcher pauses, not `persist`, so that waits with different pauses share a poll.
      },
      async () => {
        const polled = { id, deadlineMs, newFromMs, isById };
        const found = await this.batcher
          .ask(polled, Math.min(pauseMs, deadlineMs - clock.now()), signal, shortestMs)
          .catch((error: unknown) => error as Error);
        if (signal?.aborted) return course.stopped();
        const end = course.add(found, clock.now() - startedMs);
        if (!end) this.lastMs = clock.now();
        // The deadline of another wait that shares the poll can be earlier.
        const isOutlasted = (troubleOf(found)?.pauseMs ?? 0) > deadlineMs - clock.now();
        return end ?? (isOutlasted ? course.timedOut(this.lastMs - begunMs) : undefined);
      },
    );
    return ended ?? course.timedOut(this.lastMs - begunMs);
  }
}

/** The number of kinds of trouble that the end of a wait names. */
const mostTroubles = 3;

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
    if (found === "unclear") return undefined;
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
    const kinds = [...this.troubles].map(([message, times]) => `${times} × ${message}`);
    // Each can have other words of the service.
    const all = firstOf(kinds, mostTroubles).join("; ");
    const trouble = all === "" ? "" : `, and some polls failed: ${all}`;
    return this.unfinished("timed-out", `still ${this.status} after ${seconds(tookMs)}${trouble}`);
  }

  progress(tookMs: number, limitMs: number): string {
    return `${this.status} for ${seconds(tookMs)}, limit ${limit(limitMs)}`;
  }

  private unfinished(why: "failed" | "timed-out", reason: string): Waited<Seen, T> {
    return { now: "unfinished", why, reason, last: this.last };
  }
}

/** One question, with the function that answers it. */
export interface Ask<Question, Answer> {
  question: Question;
  answer: (answer: Answer | Promise<Answer>) => void;
}

/** Gathers single questions. When one must be asked, all others that may be asked at that time are answered together with it. */
export class Batcher<Question, Answer> {
  /** The questions that wait, each with the times from which it may be asked and at which it must be asked. */
  private readonly pending = new Map<Ask<Question, Answer>, { fromMs: number; dueMs: number }>();
  /** The only timer: thousands of waits need no timer each. */
  private timer = { endsMs: Infinity, control: new AbortController() };

  constructor(
    /** Answers all of them; never rejects. */
    private readonly answerAll: (asks: Ask<Question, Answer>[]) => unknown,
    private readonly clock: Pick<Clock, "now" | "sleep">,
  ) {}

  /**
   * Asks after this pause, or earlier together with another question, but not before the shortest pause. Returns the answer.
   * @throws FrontdoorError `timed-out` as soon as the signal aborts, or the error of the answer.
   */
  ask(question: Question, pauseMs: number, signal?: AbortSignal, shortestMs = 0): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const answer = (given: Answer | Promise<Answer>) => {
        const answered = Promise.resolve(given).then(resolve, reject);
        void answered.then(() => signal?.removeEventListener("abort", stop));
      };
      const ask = { question, answer };
      const stop = () => {
        this.pending.delete(ask);
        if (this.pending.size === 0) this.stopTimer();
        reject(
          new FrontdoorError("the run was stopped before the service had answered. Run the command again. [stopped]", {
            kind: "timed-out",
          }),
        );
      };
      signal?.addEventListener("abort", stop, { once: true });
      if (signal?.aborted) {
        stop();
        return;
      }
      const now = this.clock.now();
      this.pending.set(ask, { fromMs: now + Math.min(shortestMs, pauseMs), dueMs: now + pauseMs });
      if (now + pauseMs < this.timer.endsMs) void this.answerAt(now + pauseMs);
    });
  }

  private async answerAt(endsMs: number): Promise<void> {
    this.stopTimer();
    const control = new AbortController();
    this.timer = { endsMs, control };
    await this.clock.sleep(endsMs - this.clock.now(), control.signal);
    if (control.signal.aborted) return;
    this.timer.endsMs = Infinity;
    const now = this.clock.now();
    const due = [...this.pending].filter(([, { fromMs }]) => fromMs <= now).map(([ask]) => ask);
    for (const ask of due) this.pending.delete(ask);
    const nextMs = [...this.pending.values()].reduce((earliest, { dueMs }) => Math.min(earliest, dueMs), Infinity);
    if (nextMs < Infinity) void this.answerAt(nextMs);
    if (due.length > 0) this.answerAll(due);
  }

  private stopTimer(): void {
    // The default reason would be an error with a stack.
    this.timer.control.abort("stopped");
    this.timer.endsMs = Infinity;
  }
}

/** The last poll of a wait begins at its deadline and has this long. */
export const lastPollMs = 2_000;
/** After so many failed lists in a row, each failed list is replaced by reads by id. */
const mostFailures = 3;

interface Entry {
  id: string;
  status: string;
}

/**
 * Returns a poll that lists a hundred ids at a time and reads each id that the list cannot answer for. An id is gone if a list has shown it
 * as DELETING and a later one lacks it. With `matchesAny` false, a list may lack an id although the filter names it, and proves nothing.
 */
export function pollTogether<Wire extends Entry>(
  calls: Pick<Collection<Wire>, "list" | "get">,
  isComplete: (entry: Wire) => boolean,
  matchesAny: boolean,
  clock: Pick<Clock, "now">,
): Poll<Wire> {
  const deleting = new Set<string>();
  let failures = 0;
  const list = async (ids: string[], until: Until): Promise<Listed<Wire> | undefined> => {
    const query: Query = ids.map((id) => ["id", id]);
    try {
      // If the service ignores the filter, a list of more pages than ids is not worth its requests.
      const listed = await calls.list(query, until, { isPoll: true, mostPages: ids.length });
      failures = 0;
      for (const { id, status } of listed.entries) if (status === "DELETING") deleting.add(id);
      return listed;
    } catch (error) {
      if (!isTransient(error) || isRefused(error, 429) || ++failures <= mostFailures) throw error;
      return undefined;
    }
  };

  return (asks) => {
    for (const batch of batches(asks, ({ question }) => question.id)) {
      const earliestMs = Math.min(...batch.map(({ question }) => question.deadlineMs));
      const until = { deadlineMs: Math.max(earliestMs, clock.now() + lastPollMs) };
      const listing = list([...new Set(batch.map(({ question }) => question.id))], until);
      const find = async ({ id, newFromMs, isById }: Polled): Promise<Found<Wire>> => {
        const listed = await listing;
        const entry = listed?.byId.get(id);
        if (entry && isComplete(entry) && !isById) return entry;
        const isLacking = listed?.isWhole && !listed.ids.has(id);
        if (isLacking && matchesAny && deleting.has(id)) return "absent";
        if (isLacking && clock.now() < newFromMs + listsLagMs) return "unclear";
        return (await calls.get(id, until, true).catch(unlessHidden(clock.now() - newFromMs))) ?? "absent";
      };
      for (const { question, answer } of batch) answer(find(question));
    }
  };
}

/** A service can answer 403 to a read of a new id that it does not show yet. Any other error is thrown. */
const unlessHidden = (newForMs: number) => (error: unknown) => {
  if (newForMs <= consistencyMs && isRefused(error, 403)) return "unclear" as const;
  throw error;
};
