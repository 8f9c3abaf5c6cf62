/** One request on `/v2/...` or on the token endpoint. */
export interface RequestEntry {
  /** Arrival, ms on the emulator's clock. */
  at: number;
  method: string;
  /** Relative to the front door, such as `/ipsec-shares/shr-1`; `/oauth/token` for the token endpoint. */
  path: string;
  frontdoorId: string;
  /** As sent, without the question mark; "" if there is none. */
  query: string;
  /** Parsed JSON; undefined if there is none, it is no JSON, or it holds a client secret. */
  body: unknown;
  /** 0 while it has no response, and for good if the connection was cut without one. */
  status: number;
}

/** `POST /ipsec-tunnels → 202, 3 ms` */
export function logLine({ method, path, query, status }: RequestEntry, tookMs?: number): string {
  const request = `${method} ${path}${query && `?${query}`}`;
  // eslint-disable-next-line no-control-regex -- a path must not be able to write to the terminal
  return `${request.replace(/[\x00-\x1f\x7f-\x9f]/g, "?")} → ${status === 0 ? "no response" : status}${tookMs === undefined ? "" : `, ${tookMs} ms`}`;
}

/** Splits `/frontdoor/v2/fd-1/ipsec-tunnels` into front door and the path below it. */
export function frontdoorAndPath(pathname: string): { frontdoorId: string; path: string } {
  const [, written = "", path = pathname] = /^\/frontdoor\/v2\/([^/]*)(.*)$/s.exec(pathname) ?? [];
  return { frontdoorId: decoded(written), path };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
