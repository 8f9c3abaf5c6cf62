import { FrontdoorError, isTransient, longPause, misfitCounter, troubleOf } from "../errors";
import { type Clock, persist, retryPause, type Until } from "../time";
import type { Received } from "./send";

/** Calls that wait are considered this often. */
const napMs = 50;

/** The pause after a 429 without `Retry-After`. */
const shortPauseMs = 1_000;

/** A call that asks to be sent. */
interface Turn {
  label: string;
  isRead: boolean;
  until: Until;
}

interface Waiting extends Turn {
  askedMs: number;
  begin: () => void;
  giveUp: (error: FrontdoorError) => void;
}

/**
 * Decides when calls are sent: a token bucket with the ceiling in calls per second, and half a second's calls more after a quiet time.
 * Reads and writes alternate while both wait. A 429, or the `Retry-After` of a 503, is a pause for all calls, with no burst after it.
 */
export class RateLimiter {
  private waiting: Waiting[] = [];
  private wasRead = false;
  private pausedUntilMs = 0;
  /** The time between two calls. */
  private readonly apartMs: number;
  /** A call may go this much before `dueMs`. */
  private readonly burstMs: number;
  /** The time of the next call if all calls had gone one by one. */
  private dueMs = 0;

  constructor(
    ceiling: number,
    private readonly clock: Clock,
  ) {
    this.apartMs = 1000 / ceiling;
    this.burstMs = this.apartMs * (Math.max(1, ceiling / 2) - 1);
  }

  /** Sends when it is the call's turn. @throws FrontdoorError `unreachable` if it was not sent in time, or was stopped before. */
  async send(turn: Turn, send: () => Promise<Received>): Promise<Received> {
    await new Promise<void>((begin, giveUp) => {
      if (this.waiting.push({ ...turn, askedMs: this.clock.now(), begin, giveUp }) === 1) void this.run();
    });
    const received = await send();
    const { status, headers } = received;
    const isLimited = status === 429;
    if (isLimited || status === 503)
      this.pause(retryAfterMs(headers, this.clock.wall()) ?? (isLimited ? shortPauseMs : 0));
    return received;
  }

  /** Returns how many milliseconds remain of a pause that the service asked for. */
  pauseMs(): number {
    return Math.max(0, this.pausedUntilMs - this.clock.now());
  }

  private pause(ms: number): void {
    this.pausedUntilMs = Math.max(this.pausedUntilMs, this.clock.now() + ms);
    this.dueMs = Math.max(this.dueMs, this.pausedUntilMs + this.burstMs);
  }

  /** Sends calls until none waits. */
  private async run(): Promise<void> {
    while (this.waiting.length > 0) {
      const now = this.clock.now();
      const pauseMs = this.pauseMs();
      this.waiting = this.waiting.filter((waiting) => !giveUpIfOver(waiting, pauseMs, now));
      while (pauseMs === 0 && this.dueMs <= now + this.burstMs) {
        const [next] = this.waiting.splice(nextOf(this.waiting, this.wasRead), 1);
        if (!next) break;
        this.wasRead = next.isRead;
        this.dueMs = Math.max(this.dueMs, now) + this.apartMs;
        next.begin();
      }
      if (this.waiting.length > 0) await this.clock.sleep(napMs);
    }
  }
}

/** Returns the index of the call whose turn it is. */
function nextOf(waiting: Waiting[], wasRead: boolean): number {
  return Math.max(
    0,
    waiting.findIndex(({ isRead }) => isRead !== wasRead),
  );
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
  // A write that was sent is only sent again after a read, which is the caller's to make. A gateway can answer 429 after the work. A POST is
  // not sent again here whatever the error says: a second one would make a second resource.
  return method !== "POST" && trouble?.kind === "unreachable" && !trouble.mayHaveRun;
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
