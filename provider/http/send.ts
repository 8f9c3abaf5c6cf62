import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import type { Agent, Dispatcher, EnvHttpProxyAgent } from "undici";
import { FrontdoorError } from "../errors";
import { unanswered } from "./unanswered";

/** One HTTP request as it goes on the wire. */
export interface Sent {
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  url: string;
  headers: Record<string, string>;
  body?: string;
  timeoutMs: number;
  /** The name of the request in messages: no query, no secrets. */
  label: string;
  /** The place of the address, for messages. Default: `frontdoor:baseUrl`. */
  setting?: string;
  /** Ends the request early. */
  signal?: AbortSignal;
}

export interface Received {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
}

/** Sends once and follows nothing. @throws FrontdoorError `unreachable`, `unexpected-response`. */
export type Send = (request: Sent) => Promise<Received>;

/** Longer bodies, once decoded, are refused. */
const longestBodyBytes = 5 * 1024 * 1024;

/** Loads undici at the first request: a process that sends none starts faster. */
// eslint-disable-next-line @typescript-eslint/no-require-imports
const undici = () => require("undici") as typeof import("undici");

/** Verifies the certificate of every connection, whatever NODE_TLS_REJECT_UNAUTHORIZED says. */
const verified = { rejectUnauthorized: true };

const wrongProxy =
  "the environment names a proxy whose address is invalid. Nothing was sent. Correct HTTPS_PROXY or HTTP_PROXY to an http or https address. [proxy-invalid]";

/**
 * Opens a connection pool. For https addresses it uses a proxy of the environment (HTTPS_PROXY, NO_PROXY). Connecting, also to or
 * through a proxy, may take `timeoutMs`, but at most 10 s.
 */
export function openPool(timeoutMs = 40_000): { send: Send; close: () => Promise<void> } {
  const sizes = { connections: 32, keepAliveTimeout: 10_000, maxHeaderSize: 64 * 1024 };
  const connect = { ...verified, timeout: Math.min(10_000, timeoutMs) };
  // The client of a proxy, which sends CONNECT, has only the settings of this factory.
  const clientFactory = (origin: URL, given: object): Dispatcher =>
    new (undici().Pool)(origin, { ...given, headersTimeout: timeoutMs });
  const tls = { connect, requestTls: connect, proxyTls: connect };
  const options = { ...sizes, ...tls, headersTimeout: timeoutMs, clientFactory };
  let direct: Agent | undefined;
  let proxied: EnvHttpProxyAgent | undefined;
  const dispatcherOf = ({ url, label }: Sent): Dispatcher => {
    const { Agent, EnvHttpProxyAgent } = undici();
    if (!url.startsWith("https:")) return (direct ??= new Agent(options));
    try {
      return (proxied ??= new EnvHttpProxyAgent(options));
    } catch {
      // The error of undici can hold the address, and the address a password.
      throw new FrontdoorError(`${label}: ${wrongProxy}`, { kind: "failed", beforeSending: true });
    }
  };
  return {
    send: async (request) => send(dispatcherOf(request), request),
    close: async () => {
      await Promise.all([direct?.destroy(), proxied?.destroy()]);
    },
  };
}

async function send(
  dispatcher: Dispatcher,
  { method, url, headers, body, timeoutMs, label, setting = "frontdoor:baseUrl", signal: stop }: Sent,
): Promise<Received> {
  const { origin, host, pathname, search } = new URL(url);
  const tooLate = AbortSignal.timeout(Math.max(1, Math.ceil(timeoutMs)));
  const signal = stop ? AbortSignal.any([stop, tooLate]) : tooLate;
  const exchange = async (): Promise<Received> => {
    const answer = await dispatcher.request({
      origin,
      path: pathname + search,
      method,
      headers: { ...headers, "accept-encoding": "gzip" },
      body: body ?? null,
      signal,
      headersTimeout: timeoutMs,
      bodyTimeout: timeoutMs,
    });
    const status = answer.statusCode;
    const unusable = (what: string) => {
      const message = `${label}: ${what}. Check the address in ${setting}. [unusable-answer]`;
      return new FrontdoorError(message, { kind: "unexpected-response", status, paths: [] });
    };
    const text = await decoded(answer.body, answer.headers["content-encoding"], unusable);
    return { status, headers: answer.headers, text };
  };
  try {
    return await untilAborted(signal, exchange());
  } catch (error) {
    if (error instanceof FrontdoorError) throw error;
    if (stop?.aborted)
      throw unreachable(`${label}: the run was stopped before the answer. Run the command again. [stopped]`, true);
    if (tooLate.aborted)
      throw unreachable(
        `${label}: no answer within ${Math.ceil(timeoutMs / 1000)} s. Try again later. [no-answer]`,
        true,
      );
    throw unanswered(error, { label, host, setting });
  }
}

/** Ends the work at an abort also before there is a connection, which undici does not. @throws the signal's reason. */
const untilAborted = <T>(signal: AbortSignal, work: Promise<T>) =>
  new Promise<T>((resolve, reject) => {
    const abort = () => {
      reject(signal.reason as Error);
    };
    if (signal.aborted) abort();
    signal.addEventListener("abort", abort);
    void work.then(resolve, reject).finally(() => {
      signal.removeEventListener("abort", abort);
    });
  });

/** Reads a body as text. A body that is too long, before or after decoding, is refused while it is read. */
async function decoded(
  body: AsyncIterable<Buffer>,
  encoding: unknown,
  unusable: (what: string) => FrontdoorError,
): Promise<string> {
  const tooLong = `the answer is longer than ${longestBodyBytes / 1024 / 1024} MB`;
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > longestBodyBytes) throw unusable(tooLong);
    chunks.push(chunk);
  }
  const whole = Buffer.concat(chunks);
  if (bytes === 0 || encoding === undefined || encoding === "identity") return whole.toString("utf8");
  if (encoding !== "gzip") throw unusable("the answer has an unexpected encoding");
  try {
    return (await promisify(gunzip)(whole, { maxOutputLength: longestBodyBytes })).toString("utf8");
  } catch (error) {
    const { code } = error as { code?: string };
    throw unusable(code === "ERR_BUFFER_TOO_LARGE" ? tooLong : "the answer cannot be decoded");
  }
}

const unreachable = (message: string, mayHaveRun: boolean) =>
  new FrontdoorError(message, { kind: "unreachable", mayHaveRun });
