import { type Config, type Credentials, placeOf } from "../config";
import { FrontdoorError } from "../errors";
import { valueOf } from "../fields/field";
import type { Clock, Until } from "../time";
import { bodyOf, errorOf, isSuccess } from "./answers";
import { RateLimiter } from "./pace";
import { Redactor } from "./redact";
import { RequestLog } from "./request-log";
import type { Send, Sent } from "./send";
import { type Authorize, type Connection, FetchedTokens } from "./token";

/** One call on the service; the path is relative to the base address and begins with `/v2/`. */
export interface Call {
  method: Sent["method"];
  path: string;
  query?: [name: string, value: string][];
  body?: object;
  accept?: "text/plain";
  until: Until;
  /** A poll of a wait. The client does not retry it: the wait polls again. */
  isPoll?: true;
  /** Called each time just before the call is sent. */
  onSend?: () => void;
  /** True for a page of a list after its first one: it is not sent long after the deadline. */
  isMore?: boolean;
  /** Turns the body, with its length, into the answer's body. If it throws, the answer counts as broken. */
  read?: (body: unknown, status: number, length?: number) => unknown;
}

/** An answer with a 2xx status. `body` is parsed JSON, text, undefined if there was none, or the result of `read`. */
export interface Answer {
  status: number;
  body: unknown;
  location: string | undefined;
}

/** A call gets at least this long, even if it is sent at the deadline, as the last poll of a wait is. */
const leastTimeoutMs = 1_000;

interface ClientOptions {
  /** Redacts messages, and the credentials in answers. */
  redactor?: Redactor;
  /** Shows a line about a wait. */
  say?: ((line: string) => void) | undefined;
}

/** Sends calls with authorization, limiter, limits and safe retries. */
export class Client {
  private readonly connection: Connection;
  private readonly authorize: Authorize;
  /** The place of Frontdoor's URL, for messages. */
  readonly urlPlace: string;
  private canRead = false;

  constructor(
    config: Config,
    send: Send,
    clock: Clock,
    { redactor = new Redactor(), say = () => undefined }: ClientOptions = {},
  ) {
    const limiter = new RateLimiter(config.requestsPerSecond, clock);
    const log = new RequestLog(config.logFile, { clock, redactor, say });
    this.connection = { config, send, limiter, clock, redactor, say, log };
    this.urlPlace = placeOf(config, "baseUrl");
    const { credentials } = config;
    this.authorize =
      credentials.kind === "client"
        ? new FetchedTokens(credentials, this.connection).authorize
        : withHeader(credentials, redactor);
  }

  /** Sends a call, and repeats it if that is safe. @throws FrontdoorError `refused`, `unreachable` or `unexpected-response`. */
  async call(call: Call): Promise<Answer> {
    const { config, limiter, clock } = this.connection;
    const { method, path, isMore, isPoll, until } = call;
    // The last poll of a wait begins at the deadline, and its list can have more pages.
    if (isMore && clock.now() > until.deadlineMs + config.requestTimeoutMs) {
      const message = `${method} ${path}: the list did not end before the deadline, so the provider stopped reading. Try again later. [list-too-slow]`;
      throw new FrontdoorError(message, { kind: "unreachable", mayHaveRun: false });
    }
    const sent = { times: 0 };
    const attempt = () => this.attempt(call, sent);
    return isPoll ? attempt() : limiter.retried(method, attempt, until);
  }

  /** Waits until the rate limiter lets the next poll go. Never rejects. */
  turn(until: Until): Promise<void> {
    return this.connection.limiter.turn(until);
  }

  /** Returns how many milliseconds remain of a pause that the service asked for. */
  pauseMs(): number {
    return this.connection.limiter.pauseMs();
  }

  /** Notes the name of a resource, for the request log. */
  noteName(id: string, name: string): void {
    this.connection.log.noteName(id, name);
  }

  private async attempt(call: Call, sent: { times: number }): Promise<Answer> {
    const { method, path, query, accept, until, isPoll = false, onSend, read = (body: unknown) => body } = call;
    const { config, send, limiter, clock, redactor, log } = this.connection;
    const label = `${method} ${path}`;
    const isRead = method === "GET";
    const received = await this.authorize(until, (authorization) =>
      limiter.send({ label, isRead, isPoll, until }, () => {
        onSend?.();
        const remainingMs = Math.max(until.deadlineMs - clock.now(), leastTimeoutMs);
        const timeoutMs = Math.min(config.requestTimeoutMs, remainingMs);
        const request = { ...requestOf(call, config.baseUrl, authorization), timeoutMs, label, setting: this.urlPlace };
        const name = call.method === "POST" && call.body ? valueOf(call.body, "name") : undefined;
        return log.sent({ label, method, path, query, attempt: (sent.times += 1), name }, () => send(request));
      }),
    );
    const { status, headers, text } = received;
    const asked = { label, redactor, config, wallMs: clock.wall(), canRead: this.canRead };
    if (!isSuccess(received)) {
      const pauseMs = status === 429 || status === 503 ? limiter.pauseMs() : 0;
      const isLong = pauseMs > 0 && clock.now() + pauseMs > until.deadlineMs;
      throw errorOf(received, { ...asked, ...(isLong && { pauseMs }) });
    }
    this.canRead ||= isRead;
    const body = bodyOf(received, accept === "text/plain" ? "text" : isRead ? "json" : "any", asked);
    const location = typeof headers["location"] === "string" ? redactor.cleanAnswer(headers["location"]) : undefined;
    return { status, body: read(body, status, text.length), location };
  }
}

function requestOf({ method, path, query, body, accept, until }: Call, baseUrl: string, authorization: string) {
  const search = new URLSearchParams(query).toString();
  return {
    method,
    url: `${baseUrl}${path}${search === "" ? "" : `?${search}`}`,
    headers: {
      accept: accept ?? "application/json",
      authorization,
      ...(body && { "content-type": "application/json" }),
    },
    ...(body && { body: JSON.stringify(body) }),
    // A write that is under way may end in order.
    ...(method === "GET" && until.signal && { signal: until.signal }),
  };
}

/** Authorizes all calls with the same header: a bearer token, or Basic. */
function withHeader(credentials: Exclude<Credentials, { kind: "client" }>, redactor: Redactor): Authorize {
  const { kind, token } = credentials;
  const pair = kind === "basic" ? Buffer.from(`${credentials.username}:${token}`).toString("base64") : "";
  redactor.addCredentials(token, pair);
  return (_until, send) => send(kind === "basic" ? `Basic ${pair}` : `Bearer ${token}`);
}
