import type { Credentials } from "../config";
import { FrontdoorError } from "../errors";
import { retryAfterMs } from "./retry";
import type { Received } from "./send";

export type ClientCredentials = Extract<Credentials, { kind: "client" }>;

const usualLifetimeSeconds = 300;
/** What messages call it. */
export const label = "token request (frontdoor:tokenUrl)";

/** The request for a token (RFC 6749, section 4.4), without its address. */
export function tokenRequest(credentials: ClientCredentials): { headers: Record<string, string>; body: string } {
  const { clientId, clientSecret, audience, scope, request } = credentials;
  const fields = { grant_type: "client_credentials", ...(audience && { audience }), ...(scope && { scope }) };
  const accept = "application/json";
  if (request === "form") {
    const authorization = `Basic ${basicPair(credentials)}`;
    return {
      headers: { accept, authorization, "content-type": "application/x-www-form-urlencoded" },
      body: new URLSearchParams(fields).toString(),
    };
  }
  const body = { ...fields, client_id: clientId, client_secret: clientSecret };
  return { headers: { accept, "content-type": "application/json" }, body: JSON.stringify(body) };
}

export const basicPair = ({ clientId, clientSecret }: ClientCredentials) =>
  Buffer.from(`${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`).toString("base64");

/** What is wrong with an answer of this status, undefined where nothing is. */
export function refusalOf(status: number, headers: Received["headers"], wallMs: number) {
  if (status >= 200 && status < 300) return undefined;
  const pause = retryAfterMs(headers, wallMs);
  const wait = pause === undefined ? {} : { retryAfterMs: pause };
  if (status >= 500 || status === 408)
    return { remedy: "try again later", trouble: { kind: "unreachable", mayHaveRun: true, status, ...wait } as const };
  const remedy =
    status >= 300 && status < 400
      ? "redirects are never followed: check frontdoor:tokenUrl"
      : "check frontdoor:tokenUrl, clientId, clientSecret, audience and scope";
  return { remedy, trouble: { kind: "refused", status, code: undefined, ...wait } as const };
}

/** The token in an answer (RFC 6749, section 5.1). @throws FrontdoorError `unexpected-response`. */
export function tokenOf(text: string): { text: string; lifetimeMs: number } {
  const { access_token: token, token_type: type, expires_in: lifetime } = objectOf(text) ?? {};
  const paths = [
    ...(typeof token === "string" && /^[\x21-\x7e]+$/.test(token) ? [] : ["access_token"]),
    ...(type === undefined || (typeof type === "string" && type.toLowerCase() === "bearer") ? [] : ["token_type"]),
  ];
  if (paths.length > 0) {
    const message = `${label}: the answer is not a token: wrong or missing ${paths.join(", ")}; check frontdoor:tokenUrl`;
    throw new FrontdoorError(message, { kind: "unexpected-response", status: 200, paths });
  }
  const seconds = Number(lifetime);
  return {
    text: String(token),
    lifetimeMs: (seconds > 0 && Number.isFinite(seconds) ? seconds : usualLifetimeSeconds) * 1000,
  };
}

/** The JSON object in a text, undefined where it is something else. */
export function objectOf(text: string): Record<string, unknown> | undefined {
  try {
    const value = JSON.parse(text) as unknown;
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
