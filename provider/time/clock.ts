/** The one thing that touches time and chance; tests put a fake in its place. */
export interface Clock {
  /** Monotonic milliseconds. */
  now(): number;
  /** Wall-clock milliseconds since 1970, to compare with a server's `Date`. */
  wall(): number;
  /** Resolves after `ms`, or as soon as the signal aborts; never rejects. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** Any number from 0 up to, but not, 1. */
  random(): number;
}

const longestTimerMs = 2 ** 31 - 1;

/** Not the one of node:timers/promises: that makes an error with a stack for each of the thousands that are woken early. */
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
    for (let left = ms; left > 0 && signal?.aborted !== true; left -= longestTimerMs) {
      await sleepFor(Math.min(left, longestTimerMs), signal);
    }
  },
};

/** How long an operation may go on: a moment on the monotonic clock, and a way to stop it earlier. */
export interface Until {
  /** When the operation began; how long it took is told from here. */
  startedMs?: number;
  deadlineMs: number;
  signal?: AbortSignal;
  /** Told after each look of a wait what is waited for, such as `NEW for 40 s, usually 90 s, limit 1800 s`. */
  report?: ((progress: string) => void) | undefined;
}

/** Whether an operation has to end, by its deadline or since it was stopped. */
export const isOver = (clock: Clock, { deadlineMs, signal }: Until): boolean =>
  clock.now() >= deadlineMs || signal?.aborted === true;

/** What the work comes to; undefined as soon as it is over before that. @throws what the work throws until then. */
export async function inTime<T>(clock: Clock, { deadlineMs, signal }: Until, work: Promise<T>): Promise<T | undefined> {
  const nap = new AbortController();
  const isOver = AbortSignal.any(signal ? [signal, nap.signal] : [nap.signal]);
  const late = clock.sleep(deadlineMs - clock.now(), isOver).then(() => undefined);
  try {
    return await Promise.race([work, late]);
  } finally {
    nap.abort("woken");
  }
}
