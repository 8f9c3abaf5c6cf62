import type { Clock, Until } from "../time/clock";
import { persist } from "../time/persist";
import { isTransient, misfitCounter, troubleOf } from "../errors";
import type { Pace } from "./pace";

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
  // A PUT or PATCH that was sent is only sent again after a read, which is the caller's to make.
  const isRepeatable = method === "POST" && trouble?.kind === "refused";
  return isRepeatable || (trouble?.kind === "unreachable" && !trouble.mayHaveRun);
}

/**
 * Retries after transient trouble if that is safe, up to 10 times, or until the same misfit has come five times, or nothing has
 * listened at a loopback address for two seconds. The pauses are random and grow with each try, to about 15 s in
 * all. A pause that the service asks for comes first. If a pause would outlast the deadline, the error is thrown at once.
 */
export const retried = <T>(method: string, attempt: () => Promise<T>, pace: Pace, clock: Clock, until: Until) => {
  const isHopeless = misfitCounter();
  return persist(
    clock,
    until,
    ({ error, tries, waitedMs }) => {
      if (isHopeless(error) || (isLocal(error) && waitedMs >= longestLocalMs)) return undefined;
      const pauseMs = Math.max(pace.pauseMs(), 500 * tries * (0.5 + clock.random() / 2));
      const isInTime = clock.now() + pauseMs < until.deadlineMs;
      return mayRepeat(method, error) && tries < 10 && isInTime ? pauseMs : undefined;
    },
    attempt,
  );
};
