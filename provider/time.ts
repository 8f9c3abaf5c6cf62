/** The only source of time and chance. Tests put a fake in its place. */
export interface Clock {
  /** Monotonic milliseconds. */
  now(): number;
  /** Wall-clock milliseconds since 1970, to compare with a server's `Date`. */
  wall(): number;
  /** Resolves after `ms`, or as soon as the signal aborts. Never rejects. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** Returns a number from 0 (inclusive) to 1 (exclusive). */
  random(): number;
}

const longestTimerMs = 2 ** 31 - 1;

/** The sleep of node:timers/promises makes an error with a stack for each of the thousands that are woken early. */
const sleepFor = (ms: number, signal: AbortSignal | undefined) =>
  new Promise<void>((resolve) => {
    const wake = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", wake);
      resolve();
    };
    const timer = setTimeout(wake, ms);
    signal?.addEventListener("abort", wake);
  });

export const systemClock: Clock = {
  now: () => performance.now(),
  wall: () => Date.now(),
  random: () => Math.random(),
  async sleep(ms, signal) {
    for (let restMs = ms; restMs > 0 && signal?.aborted !== true; restMs -= longestTimerMs)
      await sleepFor(Math.min(restMs, longestTimerMs), signal);
  },
};

/** The end of an operation: a time on the monotonic clock, and a signal that ends it earlier. */
export interface Until {
  /** The start of the operation, for messages about its duration. */
  startedMs?: number;
  deadlineMs: number;
  signal?: AbortSignal;
  /** Called after each poll of a wait, with a line such as `NEW for 40 s, usually 90 s, limit 60 min`. */
  report?: ((progress: string) => void) | undefined;
}

/** True if an operation has to end: its deadline has passed, or it was stopped. */
export const isOver = (clock: Clock, { deadlineMs, signal }: Until): boolean =>
  clock.now() >= deadlineMs || signal?.aborted === true;

/** Returns the result of the work, or undefined as soon as the deadline passes or the signal aborts. @throws the work's error. */
export async function inTime<T>(clock: Clock, { deadlineMs, signal }: Until, work: Promise<T>): Promise<T | undefined> {
  const nap = new AbortController();
  const waker = AbortSignal.any(signal ? [signal, nap.signal] : [nap.signal]);
  const late = clock.sleep(deadlineMs - clock.now(), waker).then(() => undefined);
  try {
    return await Promise.race([work, late]);
  } finally {
    nap.abort("woken");
  }
}

/**
 * Tries until an attempt returns something other than undefined, or `pauseAfter` gives up by returning undefined. Its argument has the
 * error of the last try (undefined if the try found nothing yet), the number of tries, and the time since the first one began.
 *
 * The last try begins at the deadline at the latest, and no try begins once the signal aborts. Returns undefined if the last attempt
 * did. @throws the last attempt's error.
 */
export async function persist<T>(
  clock: Clock,
  until: Until,
  pauseAfter: (failure: {
    error: unknown;
    tries: number;
    waitedMs: number;
  }) => number | undefined | Promise<number | undefined>,
  attempt: () => Promise<T>,
): Promise<T> {
  const startedMs = clock.now();
  for (let tries = 1; ; tries++) {
    let error: unknown;
    const outcome = attempt();
    try {
      const value = await outcome;
      if (value !== undefined) return value;
    } catch (thrown) {
      error = thrown;
    }
    if (isOver(clock, until)) return outcome;
    const pauseMs = await pauseAfter({ error, tries, waitedMs: clock.now() - startedMs });
    if (pauseMs === undefined) return outcome;
    await clock.sleep(Math.min(pauseMs, until.deadlineMs - clock.now()), until.signal);
    if (until.signal?.aborted) return outcome;
  }
}

/** The operation that a wait belongs to. Its usual duration depends on it. */
export type Operation = "create" | "update" | "delete";

/** The shortest pause: closer polls are not worth their requests. */
export const tightestPauseMs = 500;

/**
 * Returns the pause until the next poll. `waitedMs` is the time since the wait began.
 *
 * - Without a typical duration: a tenth of the time waited, from 1 to 15 s.
 * - Until nine tenths of the typical duration: the time until then, from 0.5 to 15 s.
 * - Later: a 25th of the time waited, from 0.5 to 15 s.
 *
 * `random`, from 0 to 1, changes the first and the last by up to a tenth: runs must not poll in step.
 */
export function pauseAfter(waitedMs: number, random: number, typicalMs?: number): number {
  const chance = 0.9 + 0.2 * random;
  if (typicalMs === undefined) return clamped(waitedMs / 10, 1_000) * chance;
  const restMs = 0.9 * typicalMs - waitedMs;
  return restMs > 0 ? clamped(restMs, tightestPauseMs) : clamped(waitedMs / 25, tightestPauseMs) * chance;
}

const clamped = (ms: number, leastMs: number) => Math.min(Math.max(ms, leastMs), 15_000);

/** Gets the time that an operation has taken. */
export type Keep = (operation: Operation, tookMs: number) => void;

/** Records how long the operations of each kind have taken in this run. */
export class Durations {
  private readonly seen = new Map<Operation, number[]>();

  /** `keep` gets each time, for later runs. */
  constructor(private readonly keep: Keep = () => undefined) {}

  note(operation: Operation, tookMs: number): void {
    this.keep(operation, tookMs);
    this.seen.set(
      operation,
      [...(this.seen.get(operation) ?? []), tookMs].sort((a, b) => a - b),
    );
  }

  /** Returns the median; undefined if no such operation has ended. */
  typical(operation: Operation): number | undefined {
    const sorted = this.seen.get(operation) ?? [];
    return sorted[Math.floor(sorted.length / 2)];
  }
}

const unitSeconds = { ns: 1e-9, us: 1e-6, µs: 1e-6, ms: 1e-3, s: 1, m: 60, h: 3_600 } as const;

/** Returns the seconds of a duration as `customTimeouts` takes it (`"90s"`, `"1h30m"`), or undefined for any other value. */
export function durationSeconds(text: unknown): number | undefined {
  if (typeof text !== "string" || !/^(\d{1,9}(\.\d{1,9})?(ns|us|µs|ms|s|m|h)){1,7}$/.test(text)) return undefined;
  const parts = [...text.matchAll(/([\d.]+)(ns|us|µs|ms|s|m|h)/g)];
  return parts.reduce(
    (sum, [, number, unit]) => sum + Number(number) * unitSeconds[unit as keyof typeof unitSeconds],
    0,
  );
}
