import { responseOf } from "./answer";
import type { Exchange, ExchangeAction } from "./exchange";

export interface Limit {
  /** The number of requests that pass in any second of the emulator's clock. Refused requests do not count. */
  perSecond: number;
  /** The `Retry-After` header; none when null. */
  retryAfter?: string | null | undefined;
}

/** Returns the rule of a limit. It matches requests above the limit, and answers 429. */
export function limiting({ perSecond, retryAfter = "1" }: Limit) {
  let recent: number[] = [];
  const isAbove = ({ clock }: Exchange): boolean => {
    const now = clock.now();
    recent = recent.filter((at) => at > now - 1000);
    if (recent.length >= perSecond) return true;
    recent.push(now);
    return false;
  };
  const action: ExchangeAction = () =>
    Promise.resolve(
      responseOf({
        status: 429,
        headers: retryAfter === null ? {} : { "retry-after": retryAfter },
        body: { error: "too_many_requests", message: `At most ${perSecond} requests a second` },
      }),
    );
  return { isAbove, action };
}
