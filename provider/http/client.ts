import type { Clock, Until } from "../time/clock";
import type { Config } from "../config";
import { FrontdoorError } from "../errors";
import { bodyOf, refusal } from "./answers";
import { type Authorization, fixedAuthorization } from "./authorization";
import { Pace } from "./pace";
import { Redactor } from "./redact";
import { retried } from "./retry";
import type { Received, Send, Sent } from "./send";
import { FetchedTokens } from "./token";

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
  /** True for a page of a list after its first one: it is not sent long after the deadline. */
  isMore?: boolean;
  /** Takes the place of the body by what it makes of it and its length; where it throws, the answer is as good as broken. */
  read?: (body: unknown, status: number, length?: number) => unknown;
}

/** An answer with a 2xx status; `body` is parsed JSON, text, undefined where there was none, or what `read` has made of these. */
export interface Answer {
  status: number;
  body: unknown;
  location: string | undefined;
}

/** What is sent on the deadline, a last look, gets this long. */
const lastLookMs = 1_000;

const outlasted = (label: string) =>
  new FrontdoorError(
    `${label}: the list did not end before the deadline. The provider stopped reading it. Raise customTimeouts. [list-too-slow]`,
    { kind: "unreachable", mayHaveRun: true },
  );

/** Sends calls with authorization, pace, limits and safe repeats. */
export class Client {
  private readonly pace: Pace;
  private readonly redactor = new Redactor();
  /** Credentials and secret inputs, for the service's words: these are cut once they are clean. */
  private readonly both = { clean: (text: string) => this.inputs.clean(this.redactor.clean(text)) };
  private readonly authorization: Authorization;

  constructor(
    private readonly config: Config,
    private readonly send: Send,
    private readonly clock: Clock,
    /** Secret inputs, for messages: answers show inputs as they are. */
    private readonly inputs: Pick<Redactor, "clean"> = new Redactor(),
  ) {
    this.pace = new Pace(config.requestsPerSecond, clock);
    const { credentials, requestTimeoutMs } = config;
    this.authorization =
      credentials.kind === "client"
        ? new FetchedTokens(credentials, requestTimeoutMs, send, this.pace, clock, this.redactor)
        : fixedAuthorization(credentials, this.redactor);
  }

  /** @throws FrontdoorError `refused`, `unreachable` or `unexpected-response`. */
  call(call: Call): Promise<Answer> {
    // The last look of a wait begins on the deadline, and its list can have more pages.
    const endMs = call.until.deadlineMs + this.config.requestTimeoutMs;
    if (call.isMore && this.clock.now() > endMs) return Promise.reject(outlasted(`${call.method} ${call.path}`));
    const attempt = () => this.attempt(call);
    return call.once ? attempt() : retried(call.method, attempt, this.pace, this.clock, call.until);
  }

  /** Redacts the credentials in a text that is shown to people. */
  redacted(text: string): string {
    return this.redactor.cleanAnswer(text);
  }

  private async attempt(call: Call): Promise<Answer> {
    const { method, path, accept, until, read = (body: unknown) => body } = call;
    const label = `${method} ${path}`;
    const received = await this.authorization.authorized(until, (header) => this.sent(call, label, header));
    const { status, headers } = received;
    if (status < 200 || status > 299) throw refusal(received, label, this.both, this.authorization, this.clock.wall());
    const body = bodyOf(received, accept === "text/plain", method === "GET", label, this.redactor);
    const location = headers["location"];
    return {
      status,
      body: read(body, status, received.text.length),
      location: typeof location === "string" ? this.redactor.cleanAnswer(location) : undefined,
    };
  }

  private async sent(
    { method, path, query = [], body, accept, until, onSend, once }: Call,
    label: string,
    authorization: string,
  ): Promise<Received> {
    const isRead = method === "GET";
    const search = new URLSearchParams(query).toString();
    return this.pace.send({ label, isRead, isLook: once === true, until }, () => {
      onSend?.();
      return this.send({
        method,
        url: `${this.config.baseUrl}${path}${search === "" ? "" : `?${search}`}`,
        headers: {
          accept: accept ?? "application/json",
          authorization,
          ...(body && { "content-type": "application/json" }),
        },
        ...(body && { body: JSON.stringify(body) }),
        timeoutMs: Math.min(this.config.requestTimeoutMs, Math.max(until.deadlineMs - this.clock.now(), lastLookMs)),
        label,
        // A write that is under way may finish.
        ...(isRead && until.signal && { signal: until.signal }),
      });
    });
  }
}
