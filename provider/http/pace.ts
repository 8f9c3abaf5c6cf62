import { FrontdoorError, isTransient, longPause, misfitCounter, troubleOf } from "../errors";
import { type Clock, persist, retryPause, type Until } from "../time";
import type { Received } from "./send";

/** Calls that wait are considered this often. */
const napMs = 50;

/** While writes wait, at most one of this many calls is a poll. */
const pollEvery = 20;

/** A call that asks to be sent. */
interface Turn {
  label: string;
  isRead: boolean;
  /** A read that a wait repeats. Pending writes go first. */
  isPoll?: boolean;
  until: Until;
}

interface Waiting extends Turn {
  askedMs: number;
  begin: (slot: Slot) => void;
  giveUp: (error: FrontdoorError) => void;
}

/**
 * Decides when calls are sent: never more than the limit in any second, reads and writes alternately while both wait, none in a pause.
 * The `Retry-After` of a 429 or 503 is a pause for all calls.
 */
export class RateLimiter {
  private readonly rate;
  private waiting: Waiting[] = [];
  /** The calls that were sent last: whether the last one was a read, and how many followed the last poll. */
  private last = { isRead: false, sincePoll: 0 };
  private pausedUntilMs = 0;

  constructor(
    ceiling: number,
    private readonly clock: Clock,
  ) {
    this.rate = newRate(ceiling);
  }

  /** Sends when it is the call's turn. @throws FrontdoorError `unreachable` if it was not sent in time, or was stopped before. */
  async send(turn: Turn, send: () => Promise<Received>): Promise<Received> {
    const slot = await new Promise<Slot>((begin, giveUp) => {
      if (this.waiting.push({ ...turn, askedMs: this.clock.now(), begin, giveUp }) === 1) void this.run();
    });
    try {
      const { status, headers, text } = await send();
      const now = this.clock.now();
      if (status === 429) cut(this.rate, slot, now);
      if (status === 429 || status === 503)
        this.pausedUntilMs = Math.max(this.pausedUntilMs, now + (retryAfterMs(headers, this.clock.wall()) ?? 0));
      return { status, headers, text };
    } finally {
      slot.endedMs = this.clock.now();
    }
  }

  /** Returns how many milliseconds remain of a pause that the service asked for. */
  pauseMs(): number {
    return Math.max(0, this.pausedUntilMs - this.clock.now());
  }

  /** Sends calls until none waits. */
  private async run(): Promise<void> {
    while (this.waiting.length > 0) {
      const now = this.clock.now();
      const pauseMs = this.pauseMs();
      this.waiting = this.waiting.filter((waiting) => !giveUpIfOver(waiting, pauseMs, now));
      const room = pauseMs > 0 ? 0 : roomIn(this.rate, now);
      for (let sent = 0; sent < room; sent++) {
        const [next] = this.waiting.splice(nextOf(this.waiting, this.last), 1);
        if (!next) break;
        this.last = { isRead: next.isRead, sincePoll: next.isPoll ? 1 : this.last.sincePoll + 1 };
        next.begin(newSlot(this.rate, this.clock.now()));
      }
      if (this.waiting.length > 0) await this.clock.sleep(napMs);
    }
  }
}

/** Returns the index of the call whose turn it is. */
function nextOf(waiting: Waiting[], last: { isRead: boolean; sincePoll: number }): number {
  const write = waiting.findIndex(({ isRead }) => !isRead);
  if (write >= 0 && last.isRead) return write;
  const mayPoll = write < 0 || last.sincePoll >= pollEvery;
  const read = waiting.findIndex(({ isRead, isPoll }) => isRead && (!isPoll || mayPoll));
  return read < 0 ? write : read;
}

/**
 * Ends a call that was stopped, or whose deadline passes before the pause ends, and a write whose deadline has passed while it waited.
 * Returns true if it has ended the call. A read after the deadline can still end a wait.
 */
function giveUpIfOver({ label, isRead, until, askedMs, giveUp }: Waiting, pauseMs: number, now: number): boolean {
  const isOutlasted = pauseMs > 0 && now + pauseMs > until.deadlineMs;
  const isLate = !isRead && askedMs <= until.deadlineMs && now > until.deadlineMs;
  if (!until.signal?.aborted && !isOutlasted && !isLate) return false;
  const reason = isOutlasted
    ? `${longPause(pauseMs)}. Nothing was sent. Try again later. [long-pause]`
    : isLate
      ? "too many other requests had to be sent before the deadline. Nothing was sent. Run the command again. [not-sent]"
      : "the run was stopped before the request was sent. Run the command again. [stopped]";
  const trouble = { kind: "unreachable", mayHaveRun: false, ...(isOutlasted && { pauseMs }) } as const;
  giveUp(new FrontdoorError(`${label}: ${reason}`, trouble));
  return true;
}

/** A call that was sent. */
interface Slot {
  sentMs: number;
  /** The time at which the call was answered or given up. Infinity until then. */
  endedMs: number;
  isRefused: boolean;
}

/** The calls that count, and the limit in calls per second that the last 429 has set. */
interface Rate {
  /** The configured limit, in calls per second. */
  readonly ceiling: number;
  limit: number;
  refusedMs: number;
  slots: Slot[];
}

const newRate = (ceiling: number): Rate => ({ ceiling, limit: ceiling, refusedMs: -Infinity, slots: [] });

/** Returns how many more calls stay within the limit now. */
function roomIn(rate: Rate, now: number): number {
  rate.slots = counting(rate, now);
  return Math.max(1, Math.floor(limitAt(rate, now))) - rate.slots.length;
}

/** Records a call that is sent now. */
function newSlot({ slots }: Rate, now: number): Slot {
  const slot = { sentMs: now, endedMs: Infinity, isRefused: false };
  slots.push(slot);
  return slot;
}

/** Cuts the limit after a 429 to the calls that count and were not refused. A 429 to the only call that counts says nothing. */
function cut(rate: Rate, refused: Slot, now: number): void {
  refused.isRefused = true;
  const sent = counting(rate, now);
  const accepted = sent.length > 1 ? sent.filter(({ isRefused }) => !isRefused).length : Infinity;
  rate.limit = Math.max(1, Math.min(limitAt(rate, now), accepted));
  rate.refusedMs = now;
}

/** Returns the limit. It grows by a tenth each second once no 429 has come for 30 s, as a run's creates can pause that long. */
function limitAt({ ceiling, limit, refusedMs }: Rate, now: number): number {
  const growingMs = Math.max(0, now - refusedMs - 30_000);
  return Math.min(ceiling, limit * 1.1 ** (growingMs / 1000));
}

/**
 * A call counts until a second after its answer, but for at most two seconds. The service gets the call before it answers. So it never
 * sees more than the limit in a second, if no call takes longer than a second to arrive. Under a ceiling of less than one call per
 * second, a call counts longer.
 */
function counting({ ceiling, slots }: Rate, now: number): Slot[] {
  const countsMs = 1000 / Math.min(1, ceiling);
  return slots.filter(({ sentMs, endedMs }) => Math.min(endedMs, sentMs + 1000) + countsMs > now);
}

/** A longer pause counts as a mistake of the service. */
const longestMs = 24 * 3_600_000;

/** Returns the milliseconds of the `Retry-After` header, in seconds or as a date of the server's clock; undefined if it is not usable. */
export function retryAfterMs(headers: Received["headers"], wallMs: number): number | undefined {
  const { "retry-after": header, date } = headers;
  if (typeof header !== "string") return undefined;
  const serverMs = typeof date === "string" ? Date.parse(date) || wallMs : wallMs;
  const isSeconds = /^\s*\d+(\.\d+)?\s*$/.test(header);
  const ms = isSeconds ? Number(header) * 1000 : Date.parse(header.trim()) - serverMs;
  return ms >= 0 && ms <= longestMs ? ms : undefined;
}

/** An emulator that is starting again listens within this time. */
const longestLocalMs = 2_000;

function isLocal(error: unknown): boolean {
  const trouble = troubleOf(error);
  return trouble?.kind === "unreachable" && trouble.isLocal === true;
}

/** True if sending the same call again cannot do anything twice. */
function mayRepeat(method: string, error: unknown): boolean {
  const trouble = troubleOf(error);
  // The token request has had its own tries.
  if (trouble?.beforeSending) return false;
  // Another server gives the same redirect or page again. A body that is broken with a 2xx status may be whole at the next try.
  if (!isTransient(error) || (trouble?.kind === "unexpected-response" && trouble.status >= 300)) return false;
  if (method === "GET" || method === "DELETE") return true;
  // A write that was sent is only sent again after a read, which is the caller's to make. A gateway can answer 429 after the work.
  return trouble?.kind === "unreachable" && !trouble.mayHaveRun;
}

/**
 * Retries after transient trouble if that is safe, up to 10 times, or until the same misfit has come five times, or nothing has
 * listened at a loopback address for two seconds. The pauses are random and grow with each try, to about 15 s in
 * all. A pause that the service asks for comes first. If a pause would outlast the deadline, the error is thrown at once.
 */
export const retried = <T>(
  method: string,
  attempt: () => Promise<T>,
  limiter: RateLimiter,
  clock: Clock,
  until: Until,
) => {
  const isHopeless = misfitCounter();
  return persist(
    clock,
    until,
    ({ error, tries, waitedMs }) => {
      if (isHopeless(error) || (isLocal(error) && waitedMs >= longestLocalMs)) return undefined;
      const pauseMs = Math.max(limiter.pauseMs(), retryPause(tries, clock.random()));
      const isInTime = clock.now() + pauseMs < until.deadlineMs;
      return mayRepeat(method, error) && tries < 10 && isInTime ? pauseMs : undefined;
    },
    attempt,
  );
};
