import type { Clock, Until } from "../time/clock";
import { isTransient, troubleOf } from "../errors";
import type { Received } from "./send";

/** Where nothing listens, or JSON of another shape comes, the address is more likely wrong than the service in trouble. */
const mostTries = { unanswered: 6, answered: 10, misshapen: 3 };
const longestPauseMs = 8_000;
/** A pause beyond a day is taken for a mistake of the service's. */
const longestAskedMs = 24 * 3_600_000;

/** Milliseconds of the `Retry-After` header, in seconds or as a date of the server's clock; undefined where it says nothing usable. */
export function retryAfterMs(headers: Received["headers"], wallMs: number): number | undefined {
  const { "retry-after": header, date } = headers;
  if (typeof header !== "string") return undefined;
  const text = header.trim();
  const serverMs = typeof date === "string" ? Date.parse(date) : NaN;
  const ms = /^\d+(\.\d+)?$/.test(text)
    ? Number(text) * 1000
    : Date.parse(text) - (Number.isNaN(serverMs) ? wallMs : serverMs);
  return ms >= 0 && ms <= longestAskedMs ? ms : undefined;
}

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

function mostTriesAfter(trouble: ReturnType<typeof troubleOf>): number {
  if (trouble?.kind === "unexpected-response" && trouble.paths.some((path) => path !== "$")) return mostTries.misshapen;
  return trouble?.kind === "unreachable" && !trouble.mayHaveRun ? mostTries.unanswered : mostTries.answered;
}

/** Tries again after transient trouble where that is safe: at most 10 times, never past the deadline, with growing random pauses. */
export async function retried<T>(method: string, attempt: () => Promise<T>, clock: Clock, until: Until): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await attempt();
    } catch (error) {
      const trouble = troubleOf(error);
      const asked = trouble && "retryAfterMs" in trouble ? (trouble.retryAfterMs ?? 0) : 0;
      const pauseMs = Math.max(asked, Math.min(250 * 2 ** tries, longestPauseMs) * (0.5 + clock.random() / 2));
      const tooLate = clock.now() + pauseMs >= until.deadlineMs;
      if (!mayRepeat(method, error) || tries >= mostTriesAfter(trouble) || tooLate || until.signal?.aborted)
        throw error;
      await clock.sleep(pauseMs, until.signal);
    }
  }
}
