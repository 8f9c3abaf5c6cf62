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
