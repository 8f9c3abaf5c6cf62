import type { Clock, Until } from "../time/clock";
import { persist } from "../time/persist";
import { isTransient, troubleOf } from "../errors";
import type { Pace } from "./pace";

/** True when the same call can be sent again without doing anything twice. */
function mayRepeat(method: string, error: unknown): boolean {
  const trouble = troubleOf(error);
  // The token request has had its own tries.
  if (trouble?.beforeSending) return false;
  // A page of another server will be there the next time too; a broken body need not.
  if (!isTransient(error) || (trouble?.kind === "unexpected-response" && trouble.status >= 300)) return false;
  if (method === "GET" || method === "DELETE") return true;
  return trouble?.kind === "refused" || (trouble?.kind === "unreachable" && !trouble.mayHaveRun);
}

/**
 * Tries again after transient trouble where that is safe, 10 times at most. The pauses are random and grow with each try, to about a
 * quarter of a minute in all; one that the service asks for is waited for in any case. Where a pause would outlast the deadline, it gives up at once.
 */
export function retried<T>(
  method: string,
  attempt: () => Promise<T>,
  pace: Pace,
  clock: Clock,
  until: Until,
): Promise<T> {
  return persist(
    clock,
    until,
    ({ error, tries }) => {
      const pauseMs = Math.max(pace.pauseLeftMs(), 500 * tries * (0.5 + clock.random() / 2));
      const isInTime = clock.now() + pauseMs < until.deadlineMs;
      return mayRepeat(method, error) && tries < 10 && isInTime ? pauseMs : undefined;
    },
    attempt,
  );
}
