import type { Received } from "./send";

/** A longer pause counts as a mistake of the service. */
const longestMs = 24 * 3_600_000;

/** Returns the milliseconds of the `Retry-After` header, in seconds or as a date of the server's clock; undefined if it is not usable. */
export function retryAfterMs(headers: Received["headers"], wallMs: number): number | undefined {
  const { "retry-after": header, date } = headers;
  if (typeof header !== "string") return undefined;
  const serverMs = typeof date === "string" ? Date.parse(date) || wallMs : wallMs;
  const isSeconds = /^\s*\d+(\.\d+)?\s*$/.test(header);
  const ms = isSeconds ? Number(header) * 1000 : Date.parse(header.trim()) - serverMs;
  return ms >= 0 && ms <= longestMs ? ms : undefined;
}
