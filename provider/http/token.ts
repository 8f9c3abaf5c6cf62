import { inTime, type Until } from "../time/clock";
import { FrontdoorError, troubleOf } from "../errors";
import type { Authorization, Connection } from "./authorization";
import { retried } from "./retry";
import type { Received } from "./send";
import { type ClientCredentials, labelOf, secretsOf, tokenOf, tokenRequest } from "./token-request";

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
    const fetching = (this.fetching ??= startFetch(this.credentials, this.connection));
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
function startFetch(credentials: ClientCredentials, connection: Connection) {
  const stop = new AbortController();
  const until = { deadlineMs: -Infinity, signal: stop.signal };
  const token = fetchToken(credentials, connection, until);
  // No call may be waiting when the request fails.
  token.catch(() => undefined);
  return { token, until, stop, waiting: 0 };
}

/** Fetches a token. @throws FrontdoorError with `beforeSending`: the call was not sent. */
async function fetchToken(
  credentials: ClientCredentials,
  { config, send, pace, clock, redactor }: Connection,
  until: Until & { signal: AbortSignal },
): Promise<Token> {
  const timeoutMs = config.requestTimeoutMs;
  const label = labelOf(credentials);
  const setting = credentials.urlSource;
  const request = { ...tokenRequest(credentials), label, setting, signal: until.signal, timeoutMs } as const;
  const attempt = async () => {
    const askedMs = clock.now();
    const received = await pace.send({ label, isRead: true, until }, () => send(request));
    const { text, lifetimeMs } = tokenOf(received, credentials, redactor);
    redactor.add(text);
    return { text, staleMs: askedMs + lifetimeMs * 0.8 };
  };
  try {
    // Like a GET, a token request can be repeated.
    return await retried("GET", attempt, pace, clock, until);
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
