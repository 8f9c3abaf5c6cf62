import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import type { Agent, Dispatcher, EnvHttpProxyAgent } from "undici";
import { FrontdoorError } from "../errors";

/** One HTTP request as it goes on the wire. */
export interface Sent {
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  url: string;
  headers: Record<string, string>;
  body?: string;
  timeoutMs: number;
  /** What messages call the request: no query, no secrets. */
  label: string;
  /** The setting that its address is from; `frontdoor:baseUrl` where none is named. */
  setting?: "frontdoor:baseUrl" | "frontdoor:tokenUrl";
  /** Ends it early. */
  signal?: AbortSignal;
}

export interface Received {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
}

/** Sends once and follows nothing. @throws FrontdoorError `unreachable`, `unexpected-response`. */
export type Send = (request: Sent) => Promise<Received>;

/** Bodies longer than this, once decoded, are refused. */
const longestBodyBytes = 5 * 1024 * 1024;

/** Loaded by the first request: a process that sends none starts faster without. */
// eslint-disable-next-line @typescript-eslint/no-require-imports
const undici = () => require("undici") as typeof import("undici");

/** Stated for every kind of connection: it outweighs NODE_TLS_REJECT_UNAUTHORIZED. */
const verified = { rejectUnauthorized: true, timeout: 10_000 };

/** A connection pool of its own; a proxy of the environment (HTTPS_PROXY, NO_PROXY) is used for https addresses. */
export function openPool(): { send: Send; close: () => Promise<void> } {
  const sizes = { connections: 32, keepAliveTimeout: 10_000, maxHeaderSize: 64 * 1024 };
  const options = { ...sizes, connect: verified, requestTls: verified, proxyTls: verified };
  let direct: Agent | undefined;
  let proxied: EnvHttpProxyAgent | undefined;
  const dispatcherOf = (url: string): Dispatcher => {
    const { Agent, EnvHttpProxyAgent } = undici();
    return url.startsWith("https:") ? (proxied ??= new EnvHttpProxyAgent(options)) : (direct ??= new Agent(options));
  };
  return {
    send: (request) => send(dispatcherOf(request.url), request),
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
  try {
    const answer = await dispatcher.request({
      origin,
      path: pathname + search,
      method,
      headers: { ...headers, "accept-encoding": "gzip" },
      body: body ?? null,
      signal: stop ? AbortSignal.any([stop, tooLate]) : tooLate,
      headersTimeout: timeoutMs,
      bodyTimeout: timeoutMs,
    });
    const unusable = (what: string) =>
      new FrontdoorError(`${label}: ${what}`, { kind: "unexpected-response", status: answer.statusCode, paths: [] });
    const text = await decoded(answer.body, answer.headers["content-encoding"], unusable);
    return { status: answer.statusCode, headers: answer.headers, text };
  } catch (error) {
    if (error instanceof FrontdoorError) throw error;
    if (stop?.aborted) throw unreachable(`${label}: stopped before it was answered`, true);
    if (tooLate.aborted) throw unreachable(`${label}: no answer within ${Math.ceil(timeoutMs / 1000)} s`, true);
    throw unanswered(error, `${label}: no usable answer from ${host}`, setting);
  }
}

/** The body as text; too long a one, before or after decoding, is refused while it is read. */
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
  if (encoding !== "gzip") throw unusable("the answer is encoded in a way that was not asked for");
  try {
    return (await promisify(gunzip)(whole, { maxOutputLength: longestBodyBytes })).toString("utf8");
  } catch (error) {
    const { code } = error as { code?: string };
    throw unusable(code === "ERR_BUFFER_TOO_LARGE" ? tooLong : "the answer can't be decoded");
  }
}

const neverSent = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "UND_ERR_CONNECT_TIMEOUT",
]);
/** What answers there speaks, but no TLS. */
const isPlain = (code: string) =>
  /^(EPROTO|ERR_SSL_(WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|HTTP_REQUEST))$/.test(code);
const isTls = (code: string) =>
  /^(EPROTO|ERR_SSL|ERR_TLS|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_(GET|VERIFY))/.test(code);

/** What kept an answer from coming, and whether the request can have arrived. */
function unanswered(error: unknown, what: string, setting: string): FrontdoorError {
  const { cause, errors = [] } = error as { cause?: unknown; errors?: unknown[] };
  const codes = [error, cause, ...errors]
    .map((each) => (each as { code?: unknown } | undefined)?.code)
    .filter((code) => typeof code === "string");
  const isUnreached = codes.some((each) => neverSent.has(each));
  const why = codes.some(isPlain)
    ? "; the server speaks no TLS at this port, perhaps plain http"
    : codes.some(isTls)
      ? "; the server's TLS certificate is not trusted"
      : isUnreached
        ? "; nothing was reached there"
        : undefined;
  const remedy =
    why === undefined
      ? ""
      : `${why}: check ${setting} (refresh and destroy take a changed one only with --run-program)`;
  const mayHaveRun = !isUnreached && !codes.some(isTls);
  return unreachable(`${what} (${codes[0] ?? "connection lost"})${remedy}`, mayHaveRun);
}

const unreachable = (message: string, mayHaveRun: boolean) =>
  new FrontdoorError(message, { kind: "unreachable", mayHaveRun });
