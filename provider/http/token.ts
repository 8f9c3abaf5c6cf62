import type { Clock, Until } from "../time/clock";
import type { Config } from "../config";
import { FrontdoorError, shown, troubleOf } from "../errors";
import type { Redactor } from "./redact";
import { retried } from "./retry";
import type { Send } from "./send";
import { Shared } from "./shared";
import { basicPair, type ClientCredentials, label, objectOf, refusalOf, tokenOf, tokenRequest } from "./token-request";

interface Token {
  text: string;
  fetchedMs: number;
  /** From here on it is renewed before use. */
  staleMs: number;
  /** A call with it has succeeded. */
  isTaken: boolean;
}

const longestEarlyMs = 60_000;
/** Once a new token has not helped against a 403, none is fetched for another 403 so soon. */
const believedMs = 60_000;

/** Whose calls are authorized, and how (spec: Authentication). */
export interface Authorization {
  /** The `Authorization` header of the next call. @throws FrontdoorError of the token endpoint. */
  header(until: Until): Promise<string>;
  /** Told how a call with this header was answered: true when another try with a new token makes sense. */
  hasEnded(header: string, status: number): boolean;
  /** Told how that other try was answered. */
  renewed(header: string, status: number): void;
  /** What to do about a 401 when nothing helps. */
  remedy: string;
  /** What to look at, besides the front door's id, when access to it is refused. */
  access: string;
}

/** Authorization by fixed credentials, or by tokens fetched with client credentials (RFC 6749, section 4.4). */
export function authorizationOf(
  { credentials, requestTimeoutMs }: Pick<Config, "credentials" | "requestTimeoutMs">,
  send: Send,
  clock: Clock,
  redactor: Redactor,
): Authorization {
  if (credentials.kind === "client") return new FetchedTokens(credentials, requestTimeoutMs, send, clock, redactor);
  const { kind, token } = credentials;
  const pair = kind === "basic" ? Buffer.from(`${credentials.username}:${token}`).toString("base64") : "";
  for (const secret of [token, pair]) redactor.add(secret);
  const header = kind === "basic" ? `Basic ${pair}` : `Bearer ${token}`;
  return {
    header: () => Promise.resolve(header),
    hasEnded: () => false,
    renewed: () => undefined,
    access: " and frontdoor:token",
    // Without a program the engine takes the configuration of the last up (its default provider's, in the state).
    remedy:
      "the token is invalid or expired: set frontdoor:token (or FRONTDOOR_TOKEN) anew; refresh and destroy take it only with --run-program",
  };
}

/** One token for all calls of the process, renewed before it expires; those who ask meanwhile share one renewal. */
class FetchedTokens implements Authorization {
  readonly remedy = "a token fetched just now is refused: check frontdoor:clientId, audience and scope";
  readonly access = ", and what frontdoor:clientId has access to (audience, scope)";
  private token: Token | undefined;
  private believedUntilMs = -Infinity;
  private readonly fetching: Shared<Token>;

  constructor(
    private readonly credentials: ClientCredentials,
    private readonly requestTimeoutMs: number,
    private readonly send: Send,
    private readonly clock: Clock,
    private readonly redactor: Redactor,
  ) {
    redactor.add(credentials.clientSecret);
    redactor.add(basicPair(credentials));
    this.fetching = new Shared(clock, async (until) => (this.token = await this.fetch(until)));
  }

  async header(until: Until): Promise<string> {
    const isFresh = this.token !== undefined && this.clock.now() < this.token.staleMs;
    const token = isFresh ? this.token : await this.fetching.result(until, noToken);
    return `Bearer ${token?.text ?? ""}`;
  }

  hasEnded(header: string, status: number): boolean {
    if (status !== 401 && status !== 403) {
      this.note(header, status);
      return false;
    }
    const token = this.current(header);
    if (token && status === 403 && this.isBelieved(token)) return false;
    // Without one another call has renewed it already.
    if (token) this.token = undefined;
    return true;
  }

  renewed(header: string, status: number): void {
    this.note(header, status);
    if (status === 403) this.believedUntilMs = this.clock.now() + believedMs;
  }

  private note(header: string, status: number): void {
    const token = this.current(header);
    if (token && status >= 200 && status < 300) token.isTaken = true;
  }

  private current(header: string): Token | undefined {
    return this.token && header === `Bearer ${this.token.text}` ? this.token : undefined;
  }

  /** A 403 can be a token's end (spec: Errors), but not that of one fetched just now, nor soon after a new one has not helped. */
  private isBelieved({ isTaken, fetchedMs }: Token): boolean {
    const now = this.clock.now();
    return now < this.believedUntilMs || (!isTaken && now < fetchedMs + believedMs);
  }

  private async fetch(until: Until): Promise<Token> {
    const { tokenUrl } = this.credentials;
    const attempt = async () => {
      const fetchedMs = this.clock.now();
      const answer = await this.send({
        method: "POST",
        url: tokenUrl,
        ...tokenRequest(this.credentials),
        timeoutMs: this.requestTimeoutMs,
        label,
      });
      const refused = refusalOf(answer.status, answer.headers, this.clock.wall());
      if (refused)
        throw new FrontdoorError(
          `${label}: ${answer.status}${this.said(answer.text)}; ${refused.remedy}`,
          refused.trouble,
        );
      return { ...tokenOf(answer.text), fetchedMs };
    };
    // Asking for a token twice does no harm.
    const { text, lifetimeMs, fetchedMs } = await retried("GET", attempt, this.clock, until).catch((error: unknown) => {
      throw beforeSending(error);
    });
    this.redactor.add(text);
    return {
      text,
      fetchedMs,
      isTaken: false,
      staleMs: fetchedMs + lifetimeMs - Math.min(lifetimeMs / 5, longestEarlyMs),
    };
  }

  /** The `error` code of RFC 6749, section 5.2. */
  private said(text: string): string {
    const { error, error_description: description } = objectOf(text) ?? {};
    const words = [error, description].filter((word) => typeof word === "string").join(": ");
    return words === "" ? "" : ` ${shown(this.redactor.clean(words))}`;
  }
}

const noToken = () =>
  new FrontdoorError(`${label}: no token within the time that this operation had`, {
    kind: "unreachable",
    mayHaveRun: false,
    beforeSending: true,
  });

/** A refused token is no answer of the service's to the call that needs it. */
function beforeSending(error: unknown): unknown {
  const trouble = troubleOf(error);
  return trouble ? new FrontdoorError((error as Error).message, { ...trouble, beforeSending: true }) : error;
}
