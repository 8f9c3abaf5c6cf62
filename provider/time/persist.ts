import { type Clock, isOver, type Until } from "./clock";

/** A try without success. */
export interface Failure {
  /** What the try threw; undefined if it found nothing yet. */
  error: unknown;
  /** How many tries there were, this one included. */
  tries: number;
  /** Time since the first try began. */
  waitedMs: number;
}

/** Returns the pause before the next try, or undefined to give up. It may itself wait for an obstacle to go. */
export type Patience = (failure: Failure) => number | undefined | Promise<number | undefined>;

/**
 * Tries until an attempt returns something other than undefined, or `patience` gives up. The last try begins at the deadline at the
 * latest, and no try begins once the signal aborts. Returns undefined if the last attempt did. @throws the last attempt's error.
 */
export async function persist<T>(
  clock: Clock,
  until: Until,
  patience: Patience,
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
    const pauseMs = await patience({ error, tries, waitedMs: clock.now() - startedMs });
    if (pauseMs === undefined) return outcome;
    await clock.sleep(Math.min(pauseMs, until.deadlineMs - clock.now()), until.signal);
    if (until.signal?.aborted) return outcome;
  }
}
