import type { Credentials } from "../config";
import { FrontdoorError } from "../errors";
import { objectOf, said } from "./answers";
import type { Redactor } from "./redact";
import type { Received } from "./send";

export type ClientCredentials = Extract<Credentials, { kind: "client" }>;

/** Where its address is from. */
export const setting = "frontdoor:tokenUrl";

/** What messages call it. */
export const label = `token request (${setting})`;

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

/** What must never be shown of them. */
export const secretsOf = (credentials: ClientCredentials) => [credentials.clientSecret, basicPair(credentials)];

const basicPair = ({ clientId, clientSecret }: ClientCredentials) =>
  Buffer.from(`${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`).toString("base64");

/**
 * The token in an answer, with Infinity for a lifetime that is not told: such a token ends by being refused (RFC 6749, section 5).
 * @throws FrontdoorError.
 */
export function tokenOf(received: Received, redactor: Redactor): { text: string; lifetimeMs: number } {
  const { status, text } = received;
  if (status < 200 || status > 299) throw refusal(received, redactor);
  const { access_token: token, token_type: type, expires_in: lifetime } = objectOf(text);
  const isToken = typeof token === "string" && /^[\x21-\x7e]+$/.test(token);
  const isBearer = type === undefined || (typeof type === "string" && type.toLowerCase() === "bearer");
  if (!isToken || !isBearer) {
    const paths = [...(isToken ? [] : ["access_token"]), ...(isBearer ? [] : ["token_type"])];
    const message = `${label}: the answer is not a token: wrong or missing ${paths.join(", ")}; check frontdoor:tokenUrl`;
    throw new FrontdoorError(message, { kind: "unexpected-response", status: 200, paths });
  }
  const seconds = Number(lifetime);
  return { text: token, lifetimeMs: seconds > 0 ? seconds * 1000 : Infinity };
}

/** What is wrong with an answer of another status, and what to do about it (RFC 6749, section 5.2). */
function refusal({ status, text }: Received, redactor: Redactor): FrontdoorError {
  const message = `${label}: ${status}${said(text, "error_description", redactor)}`;
  if (status >= 500 || status === 408)
    return new FrontdoorError(`${message}; try again later`, { kind: "unreachable", mayHaveRun: true, status });
  const remedy =
    status < 400
      ? "redirects are never followed: check frontdoor:tokenUrl"
      : "check frontdoor:tokenUrl, clientId, clientSecret, audience and scope";
  return new FrontdoorError(`${message}; ${remedy}`, { kind: "refused", status, code: undefined });
}
