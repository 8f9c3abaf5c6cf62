import { type Config, type Credentials, placeOf } from "../config";
import { FrontdoorError, isTransient, troubleOf } from "../errors";
import { tokenRetried } from "../messages";
import { type Clock, inTime, isOver, persist, type Until } from "../time";
import { isSuccess, objectOf, reasonOf } from "./answers";
import { type RateLimiter, Retries } from "./pace";
import type { Redactor } from "./redact";
import type { RequestLog } from "./request-log";
import type { Received, Send, Sent } from "./send";

export type ClientCredentials = Extract<Credentials, { kind: "client" }>;

/** What authorizes calls (spec: Authentication). */
export interface Tokens {
  /** Returns the token of a call that is sent now. @throws FrontdoorError of the token endpoint. */
  current(until: Until): Promise<Token>;
  /** True if the answer to a call with this token says that the token has ended: with the next one, the call can be sent again. */
  hasEnded(token: Token, received: Received): boolean;
}

/** The parts of a service that all its requests share. */
export interface Connection {
  config: Config;
  send: Send;
  limiter: RateLimiter;
  clock: Clock;
  redactor: Redactor;
  say: (line: string) => void;
  log: RequestLog;
}

export interface Token {
  /** The `Authorization` header. */
  header: string;
  askedMs: number;
  /** The time from which the token is renewed before use: four fifths of its life are over. */
  staleMs: number;
}

/** A 403 to a token that is younger is about the call, not about the token. */
const youngMs = 60_000;

/** Authorizes all calls with the same header: a bearer token, or Basic. */
export function fixedToken(credentials: Exclude<Credentials, { kind: "client" }>, redactor: Redactor): Tokens {
  const { kind, token } = credentials;
  const pair = kind === "basic" ? Buffer.from(`${credentials.username}:${token}`).toString("base64") : "";
  redactor.addCredentials(token, pair);
  const header = kind === "basic" ? `Basic ${pair}` : `Bearer ${token}`;
  return { current: () => Promise.resolve({ header, askedMs: 0, staleMs: Infinity }), hasEnded: () => false };
}

/**
 * Authorizes all calls with one token, fetched with client credentials (RFC 6749, section 4.4). A 401, or a 403 that can be the token's end
 * (spec: Errors), ends the token: nothing was done. One renewal serves all calls that wait, each until its own deadline.
 */
export class FetchedTokens implements Tokens {
  private token: Token | undefined;
  private renewal: { token: Promise<Token>; until: Until } | undefined;

  constructor(
    private readonly credentials: ClientCredentials,
    private readonly connection: Connection,
  ) {
    connection.redactor.addCredentials(credentials.clientSecret, basicPair(credentials));
  }

  hasEnded(token: Token, { status }: Received): boolean {
    const isOld = this.connection.clock.now() >= token.askedMs + youngMs;
    if (status !== 401 && !(status === 403 && isOld)) return false;
    // Another call can have renewed the token already.
    if (this.token === token) this.token = undefined;
    return true;
  }

  /** Returns the token, renewed if it is stale. */
  async current(call: Until): Promise<Token> {
    const { clock } = this.connection;
    if (this.token && clock.now() < this.token.staleMs) return this.token;
    const { token, until } = (this.renewal ??= this.renew(call));
    until.deadlineMs = Math.max(until.deadlineMs, call.deadlineMs);
    const renewed = await inTime(clock, call, token);
    if (renewed) return renewed;
    const message = `${labelOf(this.credentials)}: no token came before the deadline, so nothing was sent to Frontdoor. Try again later. [token-late]`;
    throw new FrontdoorError(message, { kind: "unreachable", mayHaveRun: false, beforeSending: true });
  }

  /** Begins a renewal. All calls of a run have one signal, which ends it. Its error has `beforeSending`: no call was sent. */
  private renew(call: Until): { token: Promise<Token>; until: Until } {
    const { limiter, clock, say } = this.connection;
    const until = { ...call };
    let tries = 0;
    const attempt = async () => {
      tries += 1;
      try {
        return (this.token = await this.fetchToken(until, tries));
      } catch (error) {
        // Without a word, the run would seem to hang until the last try.
        if (tries === 1 && isTransient(error) && !isOver(clock, until)) say(tokenRetried((error as Error).message));
        throw error;
      }
    };
    // Like a GET, a request for a token can be repeated.
    const retries = new Retries("GET", until, limiter, clock);
    const token = persist(clock, until, ({ error }) => retries.pauseMsAfter(error), attempt)
      .catch((error: unknown) => {
        const trouble = troubleOf(error);
        throw trouble ? new FrontdoorError((error as Error).message, { ...trouble, beforeSending: true }) : error;
      })
      .finally(() => (this.renewal = undefined));
    // No call may be waiting when it fails.
    token.catch(() => undefined);
    return { token, until };
  }

  /** Sends one request for a token. @throws FrontdoorError. */
  private async fetchToken(until: Until, attempt: number): Promise<Token> {
    const { config, send, limiter, clock, redactor, log } = this.connection;
    const label = labelOf(this.credentials);
    const request = {
      ...tokenRequest(this.credentials),
      label,
      setting: this.credentials.urlSource,
      isToken: true as const,
    };
    const limits = { timeoutMs: config.requestTimeoutMs, ...(until.signal && { signal: until.signal }) };
    const askedMs = clock.now();
    await limiter.admit({ label, isRead: true, until });
    const logged = {
      label,
      method: request.method,
      path: new URL(request.url).pathname,
      attempt,
      isToken: true,
    } as const;
    const sending = send({ ...request, ...limits });
    log.follow(logged, sending);
    const received = await sending;
    limiter.heed(received, until);
    if (!isSuccess(received)) throw tokenRefused(received, config, this.credentials, redactor);
    const { text, lifetimeMs } = tokenOf(received, this.credentials);
    redactor.addCredentials(text);
    return { header: `Bearer ${text}`, askedMs, staleMs: askedMs + lifetimeMs * 0.8 };
  }
}

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

const basicPair = ({ clientId, clientSecret }: ClientCredentials) =>
  Buffer.from(`${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`).toString("base64");

/**
 * Returns the token in an answer. Its lifetime is Infinity if the answer has none: such a token ends when it is refused (RFC 6749,
 * section 5).
 * @throws FrontdoorError.
 */
function tokenOf({ status, text }: Received, credentials: ClientCredentials): { text: string; lifetimeMs: number } {
  const { access_token: token, token_type: type, expires_in: lifetime } = objectOf(text);
  const isToken = typeof token === "string" && /^[\x21-\x7e]+$/.test(token);
  const isBearer = type === undefined || (typeof type === "string" && /^bearer$/i.test(type));
  if (!isToken || !isBearer) {
    const paths = [...(isToken ? [] : ["access_token"]), ...(isBearer ? [] : ["token_type"])];
    const message = `${labelOf(credentials)}: the response is not a token, because of a wrong or missing ${paths.join(", ")}. Check the URL in ${credentials.urlSource}. [not-a-token]`;
    throw new FrontdoorError(message, { kind: "unexpected-response", status, paths });
  }
  return { text: token, lifetimeMs: Number(lifetime) > 0 ? Number(lifetime) * 1000 : Infinity };
}

/** Returns the error for an answer with another status (RFC 6749, section 5.2). */
function tokenRefused(
  { status, text }: Received,
  config: Config,
  credentials: ClientCredentials,
  redactor: Redactor,
): FrontdoorError {
  const { source, urlSource } = credentials;
  const message = `${labelOf(credentials)}: ${status}${reasonOf(text, "error_description", redactor)}`;
  if (status >= 500 || status === 408) {
    const trouble = { kind: "unreachable", mayHaveRun: true, status } as const;
    return new FrontdoorError(`${message}. Try again later. [service-trouble]`, trouble);
  }
  const remedy =
    status < 400
      ? `The provider never follows a redirect. Check the URL in ${urlSource}. [not-a-token]`
      : `The token endpoint refused the client. Check ${[source, ...alsoToCheck(status, text, config, credentials)].join(", and ")}. [client-refused]`;
  return new FrontdoorError(`${message}. ${remedy}`, { kind: "refused", status, code: undefined });
}

/** Returns the settings of the request's form. An endpoint that wants another form answers 400, 401 or 415. */
function alsoToCheck(status: number, text: string, config: Config, { request }: ClientCredentials): string[] {
  if (![400, 401, 415].includes(status)) return [];
  const named = ["scope", "audience"].filter((word) => text.toLowerCase().includes(word));
  return [...named.map((name) => placeOf(config, name)), `${placeOf(config, "tokenRequest")} (it is ${request})`];
}
