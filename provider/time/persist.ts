import { type Clock, isOver, type Until } from "./clock";

/** A try that has not succeeded: it threw `error`, or found nothing yet, where `error` is undefined. */
export interface Failure {
  error: unknown;
  /** How many tries there were, this one included. */
  tries: number;
  /** Time since the first try began. */
  waitedMs: number;
}

/** How long to pause before the next try; undefined gives up. It may itself wait for whatever is in the way. */
export type Patience = (failure: Failure) => number | undefined | Promise<number | undefined>;

/**
 * Tries until an attempt answers something other than undefined; after each that throws or answers undefined `patience` says how
 * long to pause, or gives up. The last try is made at the deadline at the latest, and none once the signal aborts. Where it ends
 * without success, what the last attempt threw is thrown, or undefined is the answer.
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
