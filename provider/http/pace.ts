import type { Clock, Until } from "../time/clock";
import { FrontdoorError } from "../errors";
import { LearnedLimit, type Slot } from "./learned-limit";

const secondMs = 1_000;
/**
 * No more calls than the ceiling are sent in this time: the service sees them in a second of its own, and one can take longer to
 * reach it than the next.
 */
const ceilingWindowMs = 1_100;
/** A learned limit is kept however late calls come: this counts from the end of each, or from where it must have come. */
const learnedWindowMs = 1_020;
const longestWayMs = 1_000;
/** A read goes before all writes that wait, but so many writes come between it and the read before it: a wait would look without a rest. */
const writesPerRead = 9;

/** A call that waits for its turn. */
interface Turn {
  label: string;
  isRead: boolean;
  until: Until;
}
interface Waiting extends Turn {
  resolve: (slot: Slot) => void;
  reject: (error: FrontdoorError) => void;
}

/**
 * Lets calls through one after the other, reads before writes: no more than so many in any one second, and none during a pause the
 * service asked for. Where the service limits the rate (429), no more go through in a second than it has taken.
 */
export class Pace {
  private readonly reads = new Set<Waiting>();
  private readonly writes = new Set<Waiting>();
  private writesInRow = writesPerRead;
  /** The last calls that were let through. */
  private sent: Slot[] = [];
  private hasAnswer = false;
  private readonly learned = new LearnedLimit();
  private pausedUntilMs = 0;
  private nap = new AbortController();
  private isRunning = false;

  constructor(
    private readonly perSecond: number,
    private readonly clock: Clock,
  ) {}

  /** Resolves when the call may be sent. @throws FrontdoorError `unreachable` once it is stopped, or where a pause outlasts its deadline. */
  turn(turn: Turn): Promise<Slot> {
    const { label, isRead, until } = turn;
    return new Promise((resolve, reject) => {
      const queue = isRead ? this.reads : this.writes;
      const leave = () => {
        queue.delete(waiting);
        until.signal?.removeEventListener("abort", abort);
        if (this.reads.size + this.writes.size === 0) this.nap.abort("nothing waits");
      };
      const waiting: Waiting = {
        ...turn,
        resolve: (slot) => {
          leave();
          resolve(slot);
        },
        reject: (error) => {
          leave();
          reject(error);
        },
      };
      const abort = () => {
        waiting.reject(unsent(label, "stopped before it was sent"));
      };
      queue.add(waiting);
      until.signal?.addEventListener("abort", abort);
      if (until.signal?.aborted) abort();
      else if (!this.isTurnedAway(waiting) && !this.isRunning) void this.run();
    });
  }

  /** Told of the end of every call: whether the service turned it away for coming too fast. */
  ended(slot: Slot, isTooFast: boolean): void {
    const now = this.clock.now();
    slot.endedMs = now;
    this.nap.abort("there may be room");
    // What was sent while the first connection was set up may have arrived only now.
    if (!this.hasAnswer) for (const each of this.sent) each.sentMs = now;
    this.hasAnswer = true;
    if (!isTooFast) return;
    slot.isRefused = true;
    this.learned.refused(slot, this.sent, now, this.perSecond);
  }

  /** No call before so many milliseconds have passed: a `Retry-After` holds for all calls. */
  pause(ms: number): void {
    this.pausedUntilMs = Math.max(this.pausedUntilMs, this.clock.now() + ms);
    this.learned.firm();
    for (const waiting of [...this.reads, ...this.writes]) this.isTurnedAway(waiting);
  }

  /** Whether the pause outlasts the call's deadline, which the call is told at once. */
  private isTurnedAway({ label, until, reject }: Waiting): boolean {
    const now = this.clock.now();
    if (this.pausedUntilMs <= Math.max(now, until.deadlineMs)) return false;
    const why = "the service asks for a longer pause than the deadline leaves: nothing was sent, try again later";
    reject(unsent(label, why, this.pausedUntilMs - now));
    return true;
  }

  private async run(): Promise<void> {
    this.isRunning = true;
    for (let next = this.next(); next; next = this.next()) {
      const now = this.clock.now();
      const freeMs = Math.max(this.freeMs(now), this.pausedUntilMs);
      if (freeMs <= now) this.release(next, now);
      else {
        this.nap = new AbortController();
        await this.clock.sleep(freeMs - now, this.nap.signal);
      }
    }
    this.isRunning = false;
  }

  private next(): Waiting | undefined {
    const [read] = this.reads;
    const [write] = this.writes;
    return this.writesInRow < writesPerRead ? (write ?? read) : (read ?? write);
  }

  private release({ isRead, resolve }: Waiting, now: number): void {
    this.writesInRow = isRead ? 0 : this.writesInRow + 1;
    const slot: Slot = { sentMs: now, endedMs: Infinity, isRefused: false };
    this.sent.push(slot);
    const kept = Math.ceil(this.perSecond);
    if (this.sent.length > 2 * kept) this.sent = this.sent.slice(-kept);
    resolve(slot);
  }

  /** When one more call stays below the limit. */
  private freeMs(now: number): number {
    const learned = this.learned.perSecond(now);
    const perSecond = Math.min(this.perSecond, learned);
    const slowMs = 1 / Math.min(1, perSecond);
    const most = Math.max(1, Math.floor(perSecond));
    // A quarter at once and the next a quarter of a second later: the later ones of a second bear a longer delay of the first.
    const quarter = Math.ceil(most / 4);
    const sinceMs = (count: number) => this.sent.at(-count)?.sentMs ?? -Infinity;
    return Math.max(
      sinceMs(most) + ceilingWindowMs * slowMs,
      sinceMs(quarter) + (quarter / most) * secondMs,
      learned <= this.perSecond ? this.arrivalOf(most) + learnedWindowMs * slowMs : -Infinity,
    );
  }

  /** When the last call but so many, itself counted, had come at the latest. */
  private arrivalOf(count: number): number {
    const comeMs = this.sent.map(({ sentMs, endedMs }) => Math.min(endedMs, sentMs + longestWayMs));
    return comeMs.sort((a, b) => b - a)[count - 1] ?? -Infinity;
  }
}

const unsent = (label: string, why: string, retryAfterMs?: number) =>
  new FrontdoorError(`${label}: ${why}`, {
    kind: "unreachable",
    mayHaveRun: false,
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  });
