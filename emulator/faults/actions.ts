import { setTimeout as sleep } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import type { HttpBindings } from "@hono/node-server";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import type { Clock } from "../clock";

interface Answer {
  status: number;
  headers?: Record<string, string> | undefined;
  /** No string is sent as JSON. */
  body?: unknown;
}

/** Returns a fault that answers with this instead. */
export function answering(answer: Answer & Timing): ExchangeAction {
  return async (work) => {
    if (answer.when === "after") await work();
    return responseOf(answer);
  };
}

/** Returns a fault that answers with a page, as a gateway or a captive portal does. */
export const htmlPage = (status: number): Answer => ({
  status,
  headers: { "content-type": "text/html" },
  body: "<!doctype html><title>Gateway</title><h1>Something is not right</h1>",
});

/** Returns a fault with a body that is declared as JSON, but is no JSON. */
export const garbage: Answer = {
  status: 200,
  headers: { "content-type": "application/json" },
  body: '{"id":"tnl-\u0000\u001b[2J',
};

/** Returns a fault with a redirect, by default to the same address. A client that follows it gets the true answer. */
export function redirecting({ status, location, when }: { status: number; location?: string | undefined } & Timing) {
  const action: ExchangeAction = (work, exchange) =>
    answering({ status, headers: { location: location ?? exchange.wire.incoming.url ?? "/" }, when })(work, exchange);
  return action;
}

function responseOf({ status, headers, body }: Answer): Response {
  if (body === undefined) return new Response(null, { status, headers: { ...headers } });
  if (typeof body === "string") return new Response(body, { status, headers: { ...headers } });
  return Response.json(body, { status, headers: { ...headers } });
}

/** Cuts the connection without an answer. */
export function dropping({ when }: Timing): ExchangeAction {
  return async (work, { wire }) => {
    if (when === "after") await work();
    wire.incoming.socket.destroy();
    return RESPONSE_ALREADY_SENT;
  };
}

/** Waits in real time before the work. The emulator's clock does not matter. */
export function delaying({ delayMs }: { delayMs: number }): ExchangeAction {
  return async (work, { closing }) => {
    await sleep(delayMs, undefined, { signal: closing }).catch(() => undefined);
    return closing.aborted ? RESPONSE_ALREADY_SENT : work();
  };
}

/**
 * Answers at once, or cuts the connection, and does the work later on the emulator's clock. Until then nothing shows that the request has
 * arrived.
 */
export function committingLate({ delayMs, answer }: { delayMs: number; answer?: Answer | undefined }): ExchangeAction {
  return (work, { wire, clock, closing }) => {
    clock.after(delayMs, () => {
      if (!closing.aborted) void work();
    });
    if (answer) return Promise.resolve(responseOf(answer));
    wire.incoming.socket.destroy();
    return Promise.resolve(RESPONSE_ALREADY_SENT);
  };
}

/** Does the work, sends half of its answer and cuts the connection. */
export const cutting: ExchangeAction = async (work, { wire }) => {
  const answer = await work();
  const body = Buffer.from(await answer.clone().arrayBuffer());
  const length = Math.max(body.length, 2);
  wire.outgoing.writeHead(answer.status, { "content-type": "application/json", "content-length": length });
  await new Promise((resolve) => wire.outgoing.write(body.subarray(0, length / 2), resolve));
  wire.incoming.socket.destroy();
  return RESPONSE_ALREADY_SENT;
};

/** Does the work and answers with an endless body, in blocks of 64 kB as fast as the client reads. */
export const endless: ExchangeAction = async (work) => {
  const { status } = await work();
  const block = new Uint8Array(64 * 1024).fill(32);
  return streamed(status, () => Promise.resolve(block));
};

/** Does the work and answers with one byte per second of real time, without an end. */
export const trickling: ExchangeAction = async (work, { closing }) => {
  const { status } = await work();
  const byte = new Uint8Array([32]);
  return streamed(status, async () => {
    await sleep(1000, undefined, { signal: closing }).catch(() => undefined);
    return byte;
  });
};

const bombBytes = 200 * 1024 * 1024;
let packed: Buffer<ArrayBuffer> | undefined;

/** Does the work and answers with 200 kB of gzip that unpack to 200 MB. */
export const bombing: ExchangeAction = async (work) => {
  const { status } = await work();
  packed ??= gzipSync(Buffer.alloc(bombBytes, 32));
  return new Response(packed, {
    status,
    headers: { "content-type": "application/json", "content-encoding": "gzip" },
  });
};

function streamed(status: number, next: () => Promise<Uint8Array<ArrayBuffer>>): Response {
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    async pull(controller) {
      controller.enqueue(await next());
    },
  });
  return new Response(body, { status: status === 204 ? 200 : status, headers: { "content-type": "application/json" } });
}

/** A rule acts `times` times on matching requests, and then ends. */
export interface Rule<Subject, Action> {
  match: (subject: Subject) => boolean;
  times: number;
  action: Action;
}

/** One request as rules see it: `path` is relative to the front door, as in the request log. */
export interface Exchange {
  method: string;
  path: string;
  /** As sent, without the question mark. */
  query: string;
  wire: HttpBindings;
  clock: Clock;
  /** Ends waits when the emulator closes. */
  closing: AbortSignal;
}

/** A fault between a request and its answer. It can skip the work and choose the answer. */
export type ExchangeAction = (work: () => Promise<Response>, exchange: Exchange) => Promise<Response>;

/** The requests to which a fault applies. */
export interface RequestFilter {
  /** Any method when left out. */
  method?: string | undefined;
  /** A prefix or a pattern of the path relative to the front door; any path when left out. */
  path?: string | RegExp | undefined;
  /** 1 when left out. */
  times?: number | undefined;
  /** The number of matching requests that pass before. Default: 0. */
  skip?: number | undefined;
}

/** The time of a fault: "before" (default) replaces the work, and "after" follows the work. */
export interface Timing {
  when?: "before" | "after" | undefined;
}

export const sameRequest =
  ({ method, path = "" }: RequestFilter) =>
  (exchange: Exchange): boolean =>
    (method === undefined || method.toUpperCase() === exchange.method) &&
    (typeof path === "string" ? exchange.path.startsWith(path) : exchange.path.search(path) >= 0);

interface Limit {
  /** The number of requests that pass in any second of the emulator's clock. Refused requests do not count. */
  perSecond: number;
  /** The `Retry-After` header; none when null. */
  retryAfter?: string | null | undefined;
}

/** Returns the rule of a limit. It matches requests above the limit, and answers 429. */
export function limiting({ perSecond, retryAfter = "1" }: Limit) {
  let recent: number[] = [];
  const isAbove = ({ clock }: Exchange): boolean => {
    const now = clock.now();
    recent = recent.filter((at) => at > now - 1000);
    if (recent.length >= perSecond) return true;
    recent.push(now);
    return false;
  };
  const action: ExchangeAction = () =>
    Promise.resolve(
      responseOf({
        status: 429,
        headers: retryAfter === null ? {} : { "retry-after": retryAfter },
        body: { error: "too_many_requests", message: `At most ${perSecond} requests a second` },
      }),
    );
  return { isAbove, action };
}
