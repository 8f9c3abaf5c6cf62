import { idsPerLook } from "../api/batches";
import type { Clock, Until } from "../time/clock";
import { isTransient } from "../errors";
import { Durations, pauseAfter, aimedPauseAfter, tightestPauseMs, type Operation } from "../time/ticks";
import { stillWaiting, type Waiter } from "./waiter";

/** What one look at a resource means to the one who waits for it. */
export type Verdict<T> =
  { now: "done"; value: T } | { now: "waiting"; seen: string } | { now: "failed"; reason: string };

/** What a wait knows of its past when it judges: time since it began, and every status shown since. */
export interface History {
  waitedMs: number;
  statuses: ReadonlySet<string>;
}

/** Judges one look; `seen` is undefined while the service shows no such id. */
export type Judge<Seen, T> = (seen: Seen | undefined, history: History) => Verdict<T>;

/** How a wait ended, with what was last seen; `unfinished` tells why in words. */
export type Ended<Seen, T> =
  | { now: "done"; value: T }
  | { now: "unfinished"; why: "failed" | "timed-out"; reason: string; last: Seen | undefined };

/** What a look has found: an id that is missing could not be judged this time, undefined means not found, an error is its own. */
export type Found<Seen> = Map<string, Seen | Error | undefined>;

/** Looks at many ids at once, in portions that come when they are read and never reject. `leaving` are waited for to go. */
export type Look<Seen> = (ids: string[], until: Until, leaving: ReadonlySet<string>) => Promise<Found<Seen>>[];

const lastLookMs = 2_000;

/** How long the first look at an id waits for others to join it: longer, the more there are. */
const gatherMs = (waiting: number) => Math.min(Math.max(waiting, 5), 500);

/**
 * One loop for all waits on one kind of resource of one front door: each tick is one look at all ids that are due, and at as many
 * that will be due next as cost nothing more. Those that become due soon after a tick are looked at together.
 * Transient trouble never ends a wait; the deadline does, after one last look.
 */
export class Poller<Seen extends { status: string }> {
  private readonly waiters = new Set<Waiter<Seen>>();
  /** How many wait for each id. */
  private readonly awaited = new Map<string, number>();
  private nap = new AbortController();
  private running = false;
  private begun = 0;
  private readonly durations = new Durations();

  constructor(
    private readonly look: Look<Seen>,
    private readonly clock: Clock,
  ) {}

  /** Whether anyone waits for this id. */
  isWaitingFor(id: string): boolean {
    return (this.awaited.get(id) ?? 0) > 0;
  }

  /** Waits until the judge says done or failed, the deadline passes or the signal aborts; never rejects. */
  wait<T>(id: string, judge: Judge<Seen, T>, until: Until, operation?: Operation): Promise<Ended<Seen, T>> {
    const startedMs = this.clock.now();
    return new Promise((resolve) => {
      const end = (ended: Ended<Seen, T>) => {
        if (this.waiters.delete(waiter)) this.awaited.set(id, (this.awaited.get(id) ?? 0) - 1);
        until.signal?.removeEventListener("abort", abort);
        if (this.waiters.size === 0) this.nap.abort("nothing waits");
        resolve(ended);
      };
      const abort = () => {
        waiter.stop("timed-out", `the wait was stopped while it was ${waiter.seen}`);
      };
      const waiter: Waiter<Seen> = {
        id,
        operation,
        order: this.begun++,
        isEarly: !operation || !this.durations.aim(operation),
        startedMs,
        beganMs: until.startedMs ?? startedMs,
        deadlineMs: until.deadlineMs,
        nextMs: startedMs + Math.max(gatherMs(this.waiters.size), this.durations.firstPause(operation)),
        underWayMs: 0,
        statuses: new Set(),
        last: undefined,
        seen: "not yet seen",
        troubles: new Map(),
        judge: (seen) => {
          const waitedMs = this.clock.now() - startedMs;
          const verdict = judge(seen, { waitedMs, statuses: waiter.statuses });
          if (verdict.now === "done") {
            if (operation) this.durations.note(operation, waiter.order, waiter.underWayMs, waitedMs);
            end(verdict);
          } else if (verdict.now === "failed") waiter.stop("failed", verdict.reason);
          else {
            waiter.seen = verdict.seen;
            waiter.underWayMs = waitedMs;
            if (operation) this.durations.noteUnderWay(operation);
          }
          return verdict.now !== "waiting";
        },
        stop: (why, reason) => {
          end({ now: "unfinished", why, reason, last: waiter.last });
        },
      };
      this.waiters.add(waiter);
      this.awaited.set(id, (this.awaited.get(id) ?? 0) + 1);
      if (until.signal?.aborted) abort();
      until.signal?.addEventListener("abort", abort);
      this.wake();
    });
  }

  private wake(): void {
    // A reason of our own, as the default one is an error with a stack.
    this.nap.abort("woken");
    if (this.running) return;
    this.running = true;
    void this.run();
  }

  private async run(): Promise<void> {
    let earliestMs = -Infinity;
    while (this.waiters.size > 0) {
      const dueMs = ({ nextMs, deadlineMs }: Waiter<Seen>) => Math.min(Math.max(nextMs, earliestMs), deadlineMs);
      const inOrder = [...this.waiters].sort((a, b) => dueMs(a) - dueMs(b));
      const now = this.clock.now();
      const due = inOrder.filter((waiter) => dueMs(waiter) <= now).length;
      if (due > 0) {
        const isAnyLeft = await this.tick(inOrder.slice(0, Math.ceil(due / idsPerLook) * idsPerLook));
        // What is done as soon as it is looked at holds nobody up.
        earliestMs = isAnyLeft ? now + tightestPauseMs : -Infinity;
      } else {
        this.nap = new AbortController();
        await this.clock.sleep(Math.min(...inOrder.slice(0, 1).map(dueMs)) - now, this.nap.signal);
      }
    }
    this.running = false;
  }

  /** True where some of them have to be looked at again. */
  private async tick(waiters: Waiter<Seen>[]): Promise<boolean> {
    const startedMs = this.clock.now();
    const earliest = Math.min(...waiters.map((waiter) => waiter.deadlineMs));
    const until = { deadlineMs: Math.max(earliest, startedMs + lastLookMs) };
    // In the order in which they began.
    waiters.sort((a, b) => a.order - b.order);
    const leaving = new Set(waiters.filter(({ operation }) => operation === "delete").map(({ id }) => id));
    const portions = this.look([...new Set(waiters.map((waiter) => waiter.id))], until, leaving);
    await Promise.all(
      portions.map(async (portion) => {
        const found = await portion;
        for (const waiter of waiters) this.judge(waiter, found);
      }),
    );
    const now = this.clock.now();
    const left = waiters.filter((waiter) => this.waiters.has(waiter));
    for (const waiter of left) if (startedMs >= waiter.deadlineMs) waiter.stop("timed-out", stillWaiting(waiter, now));
    // One for all: of many the earliest would fire, and the next tick would always be early.
    const random = this.clock.random();
    for (const operation of new Set(left.map((waiter) => waiter.operation))) {
      const underWayMs = [...this.waiters].flatMap((each) =>
        each.operation === operation ? now - each.startedMs : [],
      );
      const aim = operation && this.durations.aim(operation, underWayMs);
      for (const waiter of left.filter((each) => each.operation === operation)) {
        const waitedMs = now - waiter.startedMs;
        const pauseMs = aim ? aimedPauseAfter(aim, waiter.isEarly, waitedMs, random) : pauseAfter(waitedMs, random);
        waiter.nextMs = now + pauseMs;
      }
    }
    return left.length > 0;
  }

  private judge(waiter: Waiter<Seen>, found: Found<Seen>): void {
    if (!this.waiters.has(waiter) || !found.has(waiter.id)) return;
    const seen = found.get(waiter.id);
    if (seen instanceof Error) {
      this.note(waiter, seen);
      return;
    }
    if (seen) {
      waiter.last = seen;
      waiter.statuses.add(seen.status);
    }
    waiter.judge(seen);
  }

  private note(waiter: Waiter<Seen>, error: Error): void {
    if (!this.waiters.has(waiter)) return;
    if (!isTransient(error)) waiter.stop("failed", error.message);
    waiter.troubles.set(error.message, (waiter.troubles.get(error.message) ?? 0) + 1);
  }
}
