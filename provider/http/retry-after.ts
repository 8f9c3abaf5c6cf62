import type { Received } from "./send";

/**
 * Milliseconds of the `Retry-After` header, in seconds or as a date of the server's clock; undefined where it says nothing usable. A
 * pause beyond a day is taken for a mistake of the service's.
 */
export function retryAfterMs(headers: Received["headers"], wallMs: number): number | undefined {
  const { "retry-after": header, date } = headers;
  if (typeof header !== "string") return undefined;
  const text = header.trim();
  const serverMs = typeof date === "string" ? Date.parse(date) : NaN;
  const ms = /^\d+(\.\d+)?$/.test(text)
    ? Number(text) * 1000
    : Date.parse(text) - (Number.isNaN(serverMs) ? wallMs : serverMs);
  return ms >= 0 && ms <= 24 * 3_600_000 ? ms : undefined;
}
