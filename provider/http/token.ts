import type { Config, Credentials } from "../config";
import { FrontdoorError, isTransient, troubleOf } from "../errors";
import { tokenRetried } from "../messages";
import { type Clock, inTime, type Until } from "../time";
import { type Hints, objectOf, reasonOf } from "./answers";
import { type RateLimiter, retried } from "./pace";
import type { Redactor } from "./redact";
import type { Received, Send, Sent } from "./send";

interface Token {
  text: string;
  /** The time from which the token is renewed before use. */
  staleMs: number;
  /**
   * Undefined until the token has authorized a call. Then true: a 403 can mean that the token has ended. False if the call that renewed
   * the token got a 403.
   */
  canHaveEnded?: boolean;
}

/**
 * Authorizes all calls with one token, fetched with client credentials (RFC 6749, section 4.4).
 *
 * - The token is renewed before use once four fifths of its life are over.
 * - A 401, or a 403 that can be the token's end (spec: Errors), renews the token and sends the call again: nothing was done.
 * - One request serves all calls. Each call waits until its own deadline. The request ends when no call waits for it.
 */
export class FetchedTokens implements Authorization {
  readonly hints: Authorization["hints"];
  private token: Token | undefined;
  private fetching: ReturnType<typeof startFetch> | undefined;

  constructor(
    private readonly credentials: ClientCredentials,
    private readonly connection: Connection,
  ) {
    const { source } = credentials;
    this.hints = {
      remedy: `The service refuses a token that was just fetched with ${source}. Check frontdoor:audience and frontdoor:scope.`,
      access: `a client with access in ${source}`,
    };
    connection.redactor.addAll(secretsOf(credentials));
  }

  async authorized(until: Until, send: (header: string) => Promise<Received>): Promise<Received> {
    const token = await this.current(until);
    const received = await sentWith(token, send);
    if (received.status !== 401 && !(received.status === 403 && token.canHaveEnded)) return received;
    // Another call can have renewed the token already.
    if (this.token === token) this.token = undefined;
    const renewed = await this.current(until);
    const again = await sentWith(renewed, send);
    if (again.status === 403) renewed.canHaveEnded = false;
    return again;
  }

  private async current(asked: Until): Promise<Token> {
    const { clock } = this.connection;
    if (this.token && clock.now() < this.token.staleMs) return this.token;
    const fetching = (this.fetching ??= startFetch(this.credentials, this.connection, asked.deadlineMs));
    fetching.waiting += 1;
    fetching.until.deadlineMs = Math.max(fetching.until.deadlineMs, asked.deadlineMs);
    try {
      const token = await inTime(clock, asked, fetching.token);
      if (token) return (this.token = token);
      const message = `${labelOf(this.credentials)}: no token came before the deadline, so nothing was sent to the service. Try again later. [token-late]`;
      throw new FrontdoorError(message, { kind: "unreachable", mayHaveRun: false, beforeSending: true });
    } finally {
      fetching.waiting -= 1;
      if (fetching.waiting === 0) {
        fetching.stop.abort();
        this.fetching = undefined;
      }
    }
  }
}

/** Starts a token request. Its deadline moves with the calls that wait for it. */
function startFetch(credentials: ClientCredentials, connection: Connection, deadlineMs: number) {
  const stop = new AbortController();
  const until = { deadlineMs, signal: stop.signal };
  const token = fetchToken(credentials, connection, until);
  // No call may be waiting when the request fails.
  token.catch(() => undefined);
  return { token, until, stop, waiting: 0 };
}

/** Fetches a token. @throws FrontdoorError with `beforeSending`: the call was not sent. */
async function fetchToken(
  credentials: ClientCredentials,
  { config, send, limiter, clock, redactor, say }: Connection,
  until: Until & { signal: AbortSignal },
): Promise<Token> {
  const timeoutMs = config.requestTimeoutMs;
  const label = labelOf(credentials);
  const setting = credentials.urlSource;
  const request = { ...tokenRequest(credentials), label, setting, signal: until.signal, timeoutMs } as const;
  const attempt = async () => {
    const askedMs = clock.now();
    const received = await limiter.send({ label, isRead: true, until }, () => send(request));
    const { text, lifetimeMs } = tokenOf(received, credentials, redactor);
    redactor.add(text);
    return { text, staleMs: askedMs + lifetimeMs * 0.8 };
  };
  let isFirstTry = true;
  const sayAndRethrow = (error: unknown) => {
    // Without a word, the run would seem to hang until the last try.
    if (isFirstTry && isTransient(error) && !until.signal.aborted) say(tokenRetried((error as Error).message));
    isFirstTry = false;
    throw error;
  };
  try {
    // Like a GET, a token request can be repeated.
    return await retried("GET", () => attempt().catch(sayAndRethrow), limiter, clock, until);
  } catch (error) {
    const trouble = troubleOf(error);
    throw trouble ? new FrontdoorError((error as Error).message, { ...trouble, beforeSending: true }) : error;
  }
}

async function sentWith(token: Token, send: (header: string) => Promise<Received>): Promise<Received> {
  const received = await send(`Bearer ${token.text}`);
  if (received.status >= 200 && received.status < 300) token.canHaveEnded ??= true;
  return received;
}

export type ClientCredentials = Extract<Credentials, { kind: "client" }>;

/** Returns the name of the token request in messages. */
const labelOf = ({ urlSource }: ClientCredentials) => `token request (${urlSource})`;

/** Returns the request for a token (RFC 6749, section 4.4). */
function tokenRequest(credentials: ClientCredentials): Pick<Sent, "method" | "url" | "headers" | "body"> {
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
const secretsOf = (credentials: ClientCredentials) => [credentials.clientSecret, basicPair(credentials)];

const basicPair = ({ clientId, clientSecret }: ClientCredentials) =>
  Buffer.from(`${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`).toString("base64");

/**
 * Returns the token in an answer. Its lifetime is Infinity if the answer has none: such a token ends when it is refused (RFC 6749,
 * section 5).
 * @throws FrontdoorError.
 */
function tokenOf(
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

/** The parts of a service that all its requests share. */
export interface Connection {
  config: Config;
  send: Send;
  limiter: RateLimiter;
  clock: Clock;
  /** Redacts the credentials. */
  redactor: Redactor;
  say: (line: string) => void;
}

/** Authorizes calls (spec: Authentication). */
export interface Authorization {
  /** Sends with an `Authorization` header, and again with another header if that can help. @throws FrontdoorError of the token endpoint. */
  authorized(until: Until, send: (header: string) => Promise<Received>): Promise<Received>;
  hints: Hints;
}
