import type { Clock, Until } from "../time/clock";
import type { Config, Credentials } from "../config";
import type { Pace } from "./pace";
import type { Redactor } from "./redact";
import type { Received, Send } from "./send";

/** The parts of a service that all its requests share. */
export interface Connection {
  config: Config;
  send: Send;
  pace: Pace;
  clock: Clock;
  /** Redacts the credentials. */
  redactor: Redactor;
}

/** Authorizes calls (spec: Authentication). */
export interface Authorization {
  /** Sends with an `Authorization` header, and again with another header if that can help. @throws FrontdoorError of the token endpoint. */
  authorized(until: Until, send: (header: string) => Promise<Received>): Promise<Received>;
  hints: {
    /** The remedy for a 401. */
    remedy: string;
    /** The credentials that the user has to set if access is refused. */
    access: string;
  };
}

/** Authorizes all calls with the same header: a bearer token, or Basic. */
export function fixedAuthorization(
  credentials: Exclude<Credentials, { kind: "client" }>,
  redactor: Redactor,
): Authorization {
  const { kind, token, source } = credentials;
  const pair = kind === "basic" ? Buffer.from(`${credentials.username}:${token}`).toString("base64") : "";
  redactor.addAll([token, pair]);
  const header = kind === "basic" ? `Basic ${pair}` : `Bearer ${token}`;
  return {
    authorized: (_until, send) => send(header),
    hints: {
      access: `a token with access in ${source}`,
      remedy:
        source === "frontdoor:token"
          ? 'The token in frontdoor:token is invalid or expired. Run "pulumi config set --secret frontdoor:token".'
          : `The token in ${source} is invalid or expired. Set a new one there.`,
    },
  };
}
