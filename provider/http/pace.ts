import { FrontdoorError, isTransient, longPause, misfitCounter, seconds, troubleOf } from "../errors";
import { type Clock, isOver, retryPause, type Until } from "../time";
import type { Received } from "./send";

/** The pause after a 429 without `Retry-After`. */
const shortPauseMs = 1_000;

/** A request that asks to be sent. */
export interface QueuedRequest {
  label: string;
  isRead: boolean;
  isPoll?: boolean;
  until: Until;
}

/**
 * Decides when requests are sent: a token bucket with the ceiling in requests per second, and half a second's requests more after a quiet
 * time. Each request reserves the next free time, and waits for it. A 429, or the `Retry-After` of a 503, is a pause for all requests, with
 * no burst after it.
 */
export class RateLimiter {
  private pausedUntilMs = 0;
  /** The time between two requests. */
  private readonly apartMs: number;
  /** A request may go this much before `dueMs`. */
  private readonly burstMs: number;
  /** The time of the next request if all requests had gone one by one. */
  private dueMs = 0;
  /** True while a poll has waited for its turn and is not sent yet. */
  private hasPollTurn = false;

  constructor(
    ceiling: number,
    private readonly clock: Clock,
  ) {
    this.apartMs = 1000 / ceiling;
    this.burstMs = this.apartMs * (Math.max(1, ceiling / 2) - 1);
  }

  /** Waits until it is the request's turn. @throws FrontdoorError `unreachable` if it would be sent too late, or was stopped before. */
  async admit(request: QueuedRequest): Promise<void> {
    if (request.isPoll && this.hasPollTurn && this.pauseMs() === 0) this.hasPollTurn = false;
    else await this.wait(request);
  }

  /** Begins the pause that an answer asks for, if it asks for one. */
  heed({ status, headers }: Received, until: Until): void {
    if (status !== 429 && status !== 503) return;
    const pauseMs = retryAfterMs(headers, this.clock.wall()) ?? (status === 429 ? shortPauseMs : 0);
    this.pausedUntilMs = Math.max(this.pausedUntilMs, this.clock.now() + pauseMs);
    this.dueMs = Math.max(this.dueMs, this.pausedUntilMs + this.burstMs);
    this.report(until);
  }

  /** Shows a pause that the service asks for. Without it, a resource that has sent nothing yet would show no progress. */
  private report({ reportPause }: Until): void {
    const pauseMs = this.pauseMs();
    if (pauseMs > shortPauseMs) reportPause?.(`Frontdoor accepts no requests for ${seconds(pauseMs)}`);
  }

  /**
   * Waits for the turn of the next poll, so that the poll can ask about all that is waited for by then. Never rejects: if the poll can't be
   * sent, it says why.
   */
  async turn(until: Until): Promise<void> {
    await this.wait({ label: "poll", isRead: true, until }).then(
      () => (this.hasPollTurn = true),
      () => undefined,
    );
  }

  /** Returns how many milliseconds remain of a pause that the service asked for. */
  pauseMs(): number {
    return Math.max(0, this.pausedUntilMs - this.clock.now());
  }

  /** Waits for the request's turn, and for another one if a pause has begun meanwhile. */
  private async wait(turn: QueuedRequest): Promise<void> {
    const { signal } = turn.until;
    let atMs = this.reserve(turn);
    while (atMs > this.clock.now()) {
      this.report(turn.until);
      await this.clock.sleep(atMs - this.clock.now(), signal);
      if (signal?.aborted) this.dueMs -= this.apartMs;
      if (signal?.aborted || atMs < this.pausedUntilMs) atMs = this.reserve(turn);
    }
  }

  /** Returns the time at which the request is sent. @throws FrontdoorError if it was stopped, or would be sent too late. */
  private reserve({ label, isRead, until }: QueuedRequest): number {
    const now = this.clock.now();
    const pauseMs = this.pauseMs();
    const atMs = Math.max(now + pauseMs, this.dueMs - this.burstMs);
    const notSent = (reason: string, more: { pauseMs?: number } = {}) =>
      new FrontdoorError(`${label}: ${reason}`, { kind: "unreachable", mayHaveRun: false, ...more });
    if (until.signal?.aborted)
      throw notSent("the run was stopped before the request was sent. Run the command again. [stopped]");
    if (pauseMs > 0 && now + pauseMs > until.deadlineMs)
      throw notSent(`${longPause(pauseMs)}. Nothing was sent. Try again later. [long-pause]`, { pauseMs });
    // A read after the deadline can still end a wait.
    if (!isRead && now <= until.deadlineMs && atMs > until.deadlineMs)
      throw notSent(
        "too many other requests had to be sent before the deadline. Nothing was sent. Run the command again. [not-sent]",
      );
    this.dueMs = Math.max(this.dueMs, now) + this.apartMs;
    return atMs;
  }
}

/**
 * The retries of one call: after transient trouble if that is safe, up to 10 times, or until the same misfit has come five times, or nothing
 * has listened at a loopback address for two seconds. The pauses are random and grow with each try, to about 15 s in all. A pause that the
 * service asks for comes first. If a pause would outlast the deadline, none begins.
 */
export class Retries {
  private tries = 0;
  private readonly startedMs: number;
  private readonly isHopeless = misfitCounter();

  constructor(
    private readonly method: string,
    private readonly until: Until,
    private readonly limiter: Pick<RateLimiter, "pauseMs">,
    private readonly clock: Clock,
  ) {
    this.startedMs = clock.now();
  }

  /** Returns the pause before the next try, in milliseconds; undefined if no other can follow this error. */
  pauseMsAfter(error: unknown): number | undefined {
    const { clock, until, limiter } = this;
    this.tries += 1;
    const trouble = troubleOf(error);
    const isLocal = trouble?.kind === "unreachable" && trouble.isLocal;
    const isOff = isLocal && clock.now() - this.startedMs >= longestLocalMs;
    if (isOver(clock, until) || this.isHopeless(error) || isOff || this.tries === 10) return undefined;
    if (!mayRepeat(this.method, error)) return undefined;
    const pauseMs = Math.max(limiter.pauseMs(), retryPause(this.tries, clock.random()));
    return clock.now() + pauseMs < until.deadlineMs ? pauseMs : undefined;
  }
}

/** A longer pause counts as a mistake of the service. */
const longestMs = 24 * 3_600_000;

/** Returns the milliseconds of the `Retry-After` header, in seconds or as a date of the server's clock; undefined if it is not usable. */
export function retryAfterMs(headers: Received["headers"], wallMs: number): number | undefined {
  const { "retry-after": header, date } = headers;
  if (typeof header !== "string") return undefined;
  const serverMs = Date.parse(String(date)) || wallMs;
  const isSeconds = /^\s*\d+(\.\d+)?\s*$/.test(header);
  const ms = isSeconds ? Number(header) * 1000 : Date.parse(header.trim()) - serverMs;
  return ms >= 0 && ms <= longestMs ? ms : undefined;
}

/** An emulator that is starting again listens within this time. */
const longestLocalMs = 2_000;

/** True if the client may send the same call again. A write is the caller's to repeat, after a reading. */
function mayRepeat(method: string, error: unknown): boolean {
  const trouble = troubleOf(error);
  // The token request has had its own tries.
  if (method !== "GET" || trouble?.beforeSending) return false;
  // Another server gives the same redirect or page again. A body that is broken with a 2xx status may be whole at the next try.
  return isTransient(error) && !(trouble?.kind === "unexpected-response" && trouble.status >= 300);
}
