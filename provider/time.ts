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
  /** Called after each poll of a wait, with a line such as `NEW for 40 s, limit 60 min`. */
  report?: ((progress: string) => void) | undefined;
  /** Called with a line about a pause that the service asks for, also for a share of a set, which reports no progress of its own. */
  reportPause?: (line: string) => void;
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
  pauseAfter: (failure: { error: unknown; tries: number; waitedMs: number }) => number | undefined,
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
    const pauseMs = pauseAfter({ error, tries, waitedMs: clock.now() - startedMs });
    if (pauseMs === undefined) return outcome;
    await clock.sleep(Math.min(pauseMs, until.deadlineMs - clock.now()), until.signal);
    if (until.signal?.aborted) return outcome;
  }
}

/**
 * Returns the pause until the next poll: a tenth of the time waited, from 1 to 15 s. `random`, from 0 to 1, changes it by up to a tenth:
 * runs must not poll in step.
 */
export const backoff = (waitedMs: number, random: number): number =>
  Math.min(Math.max(waitedMs / 10, 1_000), 15_000) * (0.9 + 0.2 * random);

/** Pauses between two tries of an operation, at most until the deadline. The pauses grow from `sinceMs` on. */
export const pauseSince = (sinceMs: number, clock: Clock, { deadlineMs, signal }: Until): Promise<void> =>
  clock.sleep(Math.min(backoff(clock.now() - sinceMs, clock.random()), deadlineMs - clock.now()), signal);

/** Returns the pause before a request is sent again after so many tries: longer each time, and random. */
export const retryPause = (tries: number, random: number): number => 500 * tries * (0.5 + random / 2);

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
