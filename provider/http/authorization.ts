import type { Until } from "../time/clock";
import type { Credentials } from "../config";
import type { Redactor } from "./redact";
import type { Received } from "./send";

/** By what calls are authorized (spec: Authentication). */
export interface Authorization {
  /** Sends with an `Authorization` header, once more with another one where that can help. @throws FrontdoorError of the token endpoint. */
  authorized(until: Until, send: (header: string) => Promise<Received>): Promise<Received>;
  /** What to do about a 401 when nothing helps. */
  remedy: string;
  /** What to look at, besides the front door's id, when access to it is refused. */
  access: string;
}

/** The same header for all calls: a bearer token, or Basic. */
export function fixedAuthorization(
  credentials: Exclude<Credentials, { kind: "client" }>,
  redactor: Redactor,
): Authorization {
  const { kind, token } = credentials;
  const pair = kind === "basic" ? Buffer.from(`${credentials.username}:${token}`).toString("base64") : "";
  redactor.addAll([token, pair]);
  const header = kind === "basic" ? `Basic ${pair}` : `Bearer ${token}`;
  return {
    authorized: (_until, send) => send(header),
    access: " and frontdoor:token",
    // Without a program the engine takes the configuration of the last up (its default provider's, in the state).
    remedy:
      "the token is invalid or expired: set frontdoor:token (or FRONTDOOR_TOKEN) anew; refresh and destroy take it only with --run-program",
  };
}
