import type { Credentials } from "../config";
import { FrontdoorError } from "../errors";
import { objectOf, reasonOf } from "./answers";
import type { Redactor } from "./redact";
import type { Received, Sent } from "./send";

export type ClientCredentials = Extract<Credentials, { kind: "client" }>;

/** Returns the name of the token request in messages. */
export const labelOf = ({ urlSource }: ClientCredentials) => `token request (${urlSource})`;

/** Returns the request for a token (RFC 6749, section 4.4). */
export function tokenRequest(credentials: ClientCredentials): Pick<Sent, "method" | "url" | "headers" | "body"> {
  const { tokenUrl: url, clientId, clientSecret, audience, scope, request } = credentials;
  const fields = { grant_type: "client_credentials", ...(audience && { audience }), ...(scope && { scope }) };
  const accept = "application/json";
  if (request === "form") {
    const authorization = `Basic ${basicPair(credentials)}`;
    const headers = { accept, authorization, "content-type": "application/x-www-form-urlencoded" };
    return { method: "POST", url, headers, body: new URLSearchParams(fields).toString() };
  }
  const body = JSON.stringify({ ...fields, client_id: clientId, client_secret: clientSecret });
  return { method: "POST", url, headers: { accept, "content-type": "application/json" }, body };
}

/** Returns the parts that must be redacted. */
export const secretsOf = (credentials: ClientCredentials) => [credentials.clientSecret, basicPair(credentials)];

const basicPair = ({ clientId, clientSecret }: ClientCredentials) =>
  Buffer.from(`${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`).toString("base64");

/**
 * Returns the token in an answer. Its lifetime is Infinity if the answer has none: such a token ends when it is refused (RFC 6749,
 * section 5).
 * @throws FrontdoorError.
 */
export function tokenOf(
  received: Received,
  credentials: ClientCredentials,
  redactor: Redactor,
): { text: string; lifetimeMs: number } {
  const { status, text } = received;
  if (status < 200 || status > 299) throw refusal(received, credentials, redactor);
  const { access_token: token, token_type: type, expires_in: lifetime } = objectOf(text);
  const isToken = typeof token === "string" && /^[\x21-\x7e]+$/.test(token);
  const isBearer = type === undefined || (typeof type === "string" && type.toLowerCase() === "bearer");
  if (!isToken || !isBearer) {
    const paths = [...(isToken ? [] : ["access_token"]), ...(isBearer ? [] : ["token_type"])];
    const message = `${labelOf(credentials)}: the answer is not a token, because of a wrong or missing ${paths.join(", ")}. Check the address in ${credentials.urlSource}. [not-a-token]`;
    throw new FrontdoorError(message, { kind: "unexpected-response", status: 200, paths });
  }
  const seconds = Number(lifetime);
  return { text: token, lifetimeMs: seconds > 0 ? seconds * 1000 : Infinity };
}

/** Returns the error for an answer with another status (RFC 6749, section 5.2). */
function refusal({ status, text }: Received, credentials: ClientCredentials, redactor: Redactor): FrontdoorError {
  const { source, urlSource } = credentials;
  const message = `${labelOf(credentials)}: ${status}${reasonOf(text, "error_description", redactor)}`;
  if (status >= 500 || status === 408)
    return new FrontdoorError(`${message}. Try again later. [service-trouble]`, {
      kind: "unreachable",
      mayHaveRun: true,
      status,
    });
  const remedy =
    status < 400
      ? `The provider never follows a redirect. Check the address in ${urlSource}. [not-a-token]`
      : `The token endpoint refused the client. Check ${[source, ...alsoToCheck(status, text, credentials)].join(", and ")}. [client-refused]`;
  return new FrontdoorError(`${message}. ${remedy}`, { kind: "refused", status, code: undefined });
}

/** Returns the settings of the request's form. An endpoint that wants another form answers 400, 401 or 415. */
function alsoToCheck(status: number, text: string, { request }: ClientCredentials): string[] {
  if (![400, 401, 415].includes(status)) return [];
  const named = ["scope", "audience"].filter((word) => text.toLowerCase().includes(word));
  return [...named.map((name) => `frontdoor:${name}`), `frontdoor:tokenRequest (it is ${request})`];
}
