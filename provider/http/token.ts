import { type Clock, inTime, type Until } from "../time/clock";
import { FrontdoorError, troubleOf } from "../errors";
import type { Authorization } from "./authorization";
import type { Pace } from "./pace";
import type { Redactor } from "./redact";
import { retried } from "./retry";
import type { Received, Send } from "./send";
import { type ClientCredentials, label, secretsOf, setting, tokenOf, tokenRequest } from "./token-request";

interface Token {
  text: string;
  /** From here on it is renewed before use. */
  staleMs: number;
  /** Whether a 403 can be its end: once it has done a call, and never where it was fetched for a 403 that it did not mend. */
  canHaveEnded?: boolean;
}

/**
 * One token for all calls, fetched with client credentials (RFC 6749, section 4.4).
 *
 * - It is renewed before use once four fifths of its life are over.
 * - A 401, or a 403 that can be the token's end (spec: Errors), renews it and sends the call once more: nothing was done.
 * - One fetch serves all who ask meanwhile. Each waits until its own deadline; the fetch ends when nobody waits any more.
 */
export class FetchedTokens implements Authorization {
  readonly remedy = "a token fetched just now is refused: check frontdoor:clientId, audience and scope";
  readonly access = ", and what frontdoor:clientId has access to (audience, scope)";
  private token: Token | undefined;
  private fetching: { token: Promise<Token>; until: Until; stop: AbortController; waiting: number } | undefined;

  constructor(
    private readonly credentials: ClientCredentials,
    private readonly requestTimeoutMs: number,
    private readonly send: Send,
    private readonly pace: Pace,
    private readonly clock: Clock,
    private readonly redactor: Redactor,
  ) {
    redactor.addAll(secretsOf(credentials));
  }

  async authorized(until: Until, send: (header: string) => Promise<Received>): Promise<Received> {
    const token = await this.current(until);
    const received = await sentWith(token, send);
    if (received.status !== 401 && !(received.status === 403 && token.canHaveEnded)) return received;
    // Unless another call has renewed it already.
    if (this.token === token) this.token = undefined;
    const renewed = await this.current(until);
    const again = await sentWith(renewed, send);
    if (again.status === 403) renewed.canHaveEnded = false;
    return again;
  }

  private async current(asked: Until): Promise<Token> {
    if (this.token && this.clock.now() < this.token.staleMs) return this.token;
    const fetching = (this.fetching ??= this.begun());
    fetching.waiting += 1;
    fetching.until.deadlineMs = Math.max(fetching.until.deadlineMs, asked.deadlineMs);
    try {
      const token = await inTime(this.clock, asked, fetching.token);
      if (token) return token;
      const message = `${label}: no token within the time that this operation had`;
      throw new FrontdoorError(message, { kind: "unreachable", mayHaveRun: false, beforeSending: true });
    } finally {
      fetching.waiting -= 1;
      if (fetching.waiting === 0) {
        fetching.stop.abort();
        this.fetching = undefined;
      }
    }
  }

  private begun() {
    const stop = new AbortController();
    const until = { deadlineMs: -Infinity, signal: stop.signal };
    const token = this.fetch(until);
    // Nobody may be waiting any more when it fails.
    token.catch(() => undefined);
    return { token, until, stop, waiting: 0 };
  }

  /** The deadline moves with those who wait. */
  private async fetch(until: Until & { signal: AbortSignal }): Promise<Token> {
    const attempt = async () => {
      const askedMs = this.clock.now();
      const { signal } = until;
      const { tokenUrl: url } = this.credentials;
      const request = { method: "POST", url, ...tokenRequest(this.credentials), label, setting, signal } as const;
      const received = await this.pace.send({ label, isRead: true, until }, () =>
        this.send({ ...request, timeoutMs: this.requestTimeoutMs }),
      );
      const { text, lifetimeMs } = tokenOf(received, this.redactor);
      return { text, staleMs: askedMs + lifetimeMs * 0.8 };
    };
    try {
      // Asking for a token twice does no harm, as with a GET.
      this.token = await retried("GET", attempt, this.pace, this.clock, until);
      this.redactor.add(this.token.text);
      return this.token;
    } catch (error) {
      // A refused token is no answer of the service's to the call that needs it.
      const trouble = troubleOf(error);
      throw trouble ? new FrontdoorError((error as Error).message, { ...trouble, beforeSending: true }) : error;
    }
  }
}

async function sentWith(token: Token, send: (header: string) => Promise<Received>): Promise<Received> {
  const received = await send(`Bearer ${token.text}`);
  if (received.status >= 200 && received.status < 300) token.canHaveEnded ??= true;
  return received;
}
