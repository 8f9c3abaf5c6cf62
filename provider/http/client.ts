import type { Clock, Until } from "../time/clock";
import type { Config } from "../config";
import { FrontdoorError, seconds, shown } from "../errors";
import { Pace } from "./pace";
import { Redactor } from "./redact";
import { retried, retryAfterMs } from "./retry";
import { type Received, type Send, type Sent } from "./send";
import { type Authorization, authorizationOf } from "./token";

/** One call on the service; the path is relative to the base address and begins with `/v2/`. */
export interface Call {
  method: Sent["method"];
  path: string;
  query?: [name: string, value: string][];
  body?: object;
  accept?: "text/plain";
  until: Until;
  /** Looks of a wait are not repeated by the client: the wait itself looks again. */
  once?: true;
  /** Called each time just before it is sent. */
  onSend?: () => void;
  /** Takes the place of the body by what it makes of it; where it throws, the answer is as good as broken. */
  read?: (body: unknown, status: number) => unknown;
}

/** An answer with a 2xx status; `body` is parsed JSON, text, undefined where there was none, or what `read` has made of these. */
export interface Answer {
  status: number;
  body: unknown;
  location: string | undefined;
}

/** Sends calls with authorization, pace, limits and safe repeats. */
export class Client {
  private readonly pace: Pace;
  private readonly redactor = new Redactor();
  private readonly authorization: Authorization;

  constructor(
    private readonly config: Config,
    private readonly send: Send,
    private readonly clock: Clock,
  ) {
    this.pace = new Pace(config.requestsPerSecond, clock);
    this.authorization = authorizationOf(config, send, clock, this.redactor);
  }

  /** @throws FrontdoorError `refused`, `unreachable` or `unexpected-response`. */
  call(call: Call): Promise<Answer> {
    const attempt = () => this.attempt(call);
    return call.once ? attempt() : retried(call.method, attempt, this.clock, call.until);
  }

  private async attempt(call: Call): Promise<Answer> {
    const { method, path, accept, until, read = (body: unknown) => body } = call;
    const label = `${method} ${path}`;
    let header = await this.authorization.header(until);
    let received = await this.sent(call, label, header);
    // A 401 or 403 says that nothing was done: with a new token the same call is safe to send once more.
    if (this.authorization.hasEnded(header, received.status)) {
      header = await this.authorization.header(until);
      received = await this.sent(call, label, header);
      this.authorization.renewed(header, received.status);
    }
    if (received.status < 200 || received.status > 299) throw this.refusal(received, label);
    const location = received.headers["location"];
    return {
      status: received.status,
      body: read(accept === "text/plain" ? plain(received, label) : parsed(received, method, label), received.status),
      location: typeof location === "string" ? location : undefined,
    };
  }

  private async sent(
    { method, path, query = [], body, accept, until, onSend }: Call,
    label: string,
    authorization: string,
  ): Promise<Received> {
    const slot = await this.pace.turn({ label, isRead: method === "GET", until });
    const leftMs = Math.max(until.deadlineMs - this.clock.now(), 1_000);
    const search = new URLSearchParams(query).toString();
    let isTooFast = false;
    try {
      onSend?.();
      const received = await this.send({
        method,
        url: `${this.config.baseUrl}${path}${search === "" ? "" : `?${search}`}`,
        headers: {
          accept: accept ?? "application/json",
          authorization,
          ...(body && { "content-type": "application/json" }),
        },
        ...(body && { body: JSON.stringify(body) }),
        timeoutMs: Math.min(this.config.requestTimeoutMs, leftMs),
        label,
      });
      isTooFast = received.status === 429;
      return { ...received, text: this.redactor.cleanAnswer(received.text) };
    } finally {
      this.pace.ended(slot, isTooFast);
    }
  }

  private refusal(received: Received, label: string): FrontdoorError {
    const { status, headers } = received;
    const pauseMs = retryAfterMs(headers, this.clock.wall());
    if (pauseMs !== undefined && (status === 429 || status === 503)) this.pace.pause(pauseMs);
    const wait = pauseMs === undefined ? {} : { retryAfterMs: pauseMs };
    if (status >= 300 && status < 400) {
      return new FrontdoorError(
        `${label}: the server redirects (${status}), which is never followed: check frontdoor:baseUrl`,
        {
          kind: "unexpected-response",
          status,
          paths: ["location"],
        },
      );
    }
    if (status >= 500 || timedOut.includes(status)) {
      return new FrontdoorError(`${label}: ${status} from the server`, {
        kind: "unreachable",
        mayHaveRun: true,
        status,
        ...wait,
      });
    }
    const body = errorBody(received.text);
    if (isPage(received) && (status === 404 || status === 410)) {
      return new FrontdoorError(
        `${label}: ${status} with a page that is not this service's (a gateway or another server?): check frontdoor:baseUrl`,
        {
          kind: "unexpected-response",
          status,
          paths: ["error"],
        },
      );
    }
    const said = [body?.error, body?.message].filter((text) => text !== undefined).join(": ");
    const message = `${label}: ${status}${said === "" ? "" : ` ${shown(this.redactor.clean(said))}`}${this.remedy(status, body?.error, headers["date"])}`;
    return new FrontdoorError(message, { kind: "refused", status, code: body?.error, ...wait });
  }

  /** What to do about a 401 or 403, in the spec's terms (spec: Authentication, Errors). */
  private remedy(status: number, code: string | undefined, date: unknown): string {
    if (status === 403) {
      const found =
        code === "not_found" ? "this front door was not found for this token" : "this token does not grant access";
      return `; ${found}: check frontdoor:frontdoorId${this.authorization.access}`;
    }
    if (status !== 401) return "";
    const behindMs = typeof date === "string" ? Date.parse(date) - this.clock.wall() : 0;
    if (Math.abs(behindMs) >= 60_000) {
      return `; this machine's clock is ${seconds(Math.abs(behindMs))} ${behindMs > 0 ? "behind" : "ahead"}: set it right`;
    }
    return `; ${this.authorization.remedy}`;
  }
}

/** Request timeout and a client that has closed: a gateway gave up waiting, the service may have done the work. */
const timedOut = [408, 499];

/**
 * The spec shows no bodies of answers to writes: a text tells nothing, and that the write was accepted all the same. A web page, or
 * what says that it is JSON and is none, is no answer of the service's: nobody knows whether anything was done.
 */
function parsed(received: Received, method: string, label: string): unknown {
  const { status, text } = received;
  if (text.trim() === "") return undefined;
  try {
    // Without what some servers put before it, a byte order mark.
    return JSON.parse(text.trim()) as unknown;
  } catch {
    if (method !== "GET" && !isPage(received) && !saysJson(received)) return undefined;
    throw new FrontdoorError(`${label}: ${status} with a body that is not JSON`, {
      kind: "unexpected-response",
      status,
      paths: ["$"],
    });
  }
}

/** A text that is no web page: a gateway may show one of those with a 2xx too. */
function plain({ status, headers, text }: Received, label: string): string {
  if (!String(headers["content-type"]).includes("html") && !/^\s*<(!doctype\s+html|html)\b/i.test(text)) return text;
  throw new FrontdoorError(`${label}: ${status} with a web page: check frontdoor:baseUrl`, {
    kind: "unexpected-response",
    status,
    paths: ["content-type"],
  });
}

const isPage = ({ headers, text }: Received) =>
  String(headers["content-type"]).toLowerCase().includes("html") || text.trimStart().startsWith("<");

const saysJson = ({ headers }: Received) => String(headers["content-type"]).toLowerCase().includes("json");

/** The service's `{ error, message }`, empty where there is no body, undefined where the body is something else (spec: Errors). */
function errorBody(text: string): { error?: string; message?: string } | undefined {
  if (text.trim() === "") return {};
  try {
    const body = JSON.parse(text.trim()) as unknown;
    if (typeof body !== "object" || body === null || Array.isArray(body)) return undefined;
    const { error, message } = body as Record<string, unknown>;
    return { ...(typeof error === "string" && { error }), ...(typeof message === "string" && { message }) };
  } catch {
    return undefined;
  }
}
