import { type Config, placeOf } from "../config";
import { FrontdoorError } from "../errors";
import { valueOf } from "../fields/field";
import type { Clock, Until } from "../time";
import { bodyOf, errorOf, isSuccess } from "./answers";
import { RateLimiter, Retries } from "./pace";
import { Redactor } from "./redact";
import { RequestLog } from "./request-log";
import type { Received, Send, Sent } from "./send";
import { type Connection, FetchedTokens, fixedToken, type Tokens } from "./token";

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

/** Sends calls: authorizes, waits for the rate limiter, sends, reads the answer, and sends again if that is safe. */
export class Client {
  private readonly connection: Connection;
  private readonly tokens: Tokens;
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
    this.tokens =
      credentials.kind === "client"
        ? new FetchedTokens(credentials, this.connection)
        : fixedToken(credentials, redactor);
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
    const retries = new Retries(method, until, limiter, clock);
    let attempt = 0;
    for (;;) {
      try {
        const token = await this.tokens.current(until);
        let received = await this.send(call, token.header, (attempt += 1));
        if (this.tokens.hasEnded(token, received))
          received = await this.send(call, (await this.tokens.current(until)).header, (attempt += 1));
        return this.answerOf(call, received);
      } catch (error) {
        const pauseMs = isPoll ? undefined : retries.pauseMsAfter(error);
        if (pauseMs === undefined) throw error;
        await clock.sleep(pauseMs, until.signal);
        if (until.signal?.aborted) throw error;
      }
    }
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

  /** Sends a call once it is its turn. @throws FrontdoorError `unreachable`. */
  private async send(call: Call, authorization: string, attempt: number): Promise<Received> {
    const { method, path, query, body, until, isPoll = false, onSend } = call;
    const { config, send, limiter, clock, log } = this.connection;
    const label = `${method} ${path}`;
    await limiter.admit({ label, isRead: method === "GET", isPoll, until });
    onSend?.();
    const remainingMs = Math.max(until.deadlineMs - clock.now(), leastTimeoutMs);
    const timeoutMs = Math.min(config.requestTimeoutMs, remainingMs);
    const request = requestOf(call, config.baseUrl, authorization);
    const sending = send({ ...request, timeoutMs, label, setting: this.urlPlace });
    const name = method === "POST" && body ? valueOf(body, "name") : undefined;
    log.follow({ label, method, path, query, attempt, name }, sending);
    const received = await sending;
    limiter.heed(received, until);
    return received;
  }

  /** Returns the answer of a 2xx status. @throws FrontdoorError of any other, and of an answer that is not usable. */
  private answerOf(call: Call, received: Received): Answer {
    const { method, path, accept, until, read = (body: unknown) => body } = call;
    const { config, limiter, clock, redactor } = this.connection;
    const { status, headers, text } = received;
    const isRead = method === "GET";
    const details = { label: `${method} ${path}`, redactor, config, wallMs: clock.wall(), canRead: this.canRead };
    if (!isSuccess(received)) {
      const pauseMs = status === 429 || status === 503 ? limiter.pauseMs() : 0;
      const isLong = pauseMs > 0 && clock.now() + pauseMs > until.deadlineMs;
      throw errorOf(received, { ...details, ...(isLong && { pauseMs }) });
    }
    this.canRead ||= isRead;
    const body = bodyOf(received, accept === "text/plain" ? "text" : isRead ? "json" : "any", details);
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
