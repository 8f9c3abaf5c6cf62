import { type Clock, isOver, type Until } from "./clock";

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
