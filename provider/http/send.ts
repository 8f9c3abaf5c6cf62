import { createGunzip, createBrotliDecompress, createInflate } from "node:zlib";
import { PassThrough, type Readable, type Duplex } from "node:stream";
import { pipeline } from "node:stream/promises";
import { Agent, type Dispatcher, EnvHttpProxyAgent } from "undici";
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
}

export interface Received {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
}

/** Sends once and follows nothing. @throws FrontdoorError `unreachable`, `unexpected-response`. */
export type Send = (request: Sent) => Promise<Received>;

/** Bodies longer than this, once decoded, are refused. */
export const longestBodyBytes = 5 * 1024 * 1024;

const decoders: Record<string, () => Duplex> = {
  gzip: createGunzip,
  "x-gzip": createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
  identity: () => new PassThrough(),
};

/** A connection pool of its own; a proxy of the environment (HTTPS_PROXY, NO_PROXY) is used for https addresses. */
export function openPool(baseUrl: string): { send: Send; close: () => Promise<void> } {
  const options = { connections: 32, connect: { timeout: 10_000 }, keepAliveTimeout: 10_000, maxHeaderSize: 64 * 1024 };
  const dispatcher: Dispatcher = baseUrl.startsWith("https:") ? new EnvHttpProxyAgent(options) : new Agent(options);
  return { send: (request) => send(dispatcher, request), close: () => dispatcher.destroy() };
}

async function send(dispatcher: Dispatcher, { method, url, headers, body, timeoutMs, label }: Sent): Promise<Received> {
  const { origin, pathname, search } = new URL(url);
  const signal = AbortSignal.timeout(Math.max(1, Math.ceil(timeoutMs)));
  try {
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
    const unusable = (what: string) =>
      new FrontdoorError(`${label}: ${what}`, { kind: "unexpected-response", status: answer.statusCode, paths: [] });
    const text = await decoded(answer.body, answer.headers["content-encoding"], signal, unusable);
    return { status: answer.statusCode, headers: answer.headers, text };
  } catch (error) {
    if (error instanceof FrontdoorError) throw error;
    throw unreachable(error, label, signal.aborted ? timeoutMs : undefined);
  }
}

/** The body as text, counted after decoding. */
async function decoded(
  body: Readable,
  encoding: unknown,
  signal: AbortSignal,
  unusable: (what: string) => FrontdoorError,
): Promise<string> {
  const decoder = decoders[typeof encoding === "string" ? encoding.trim().toLowerCase() : "identity"]?.();
  if (!decoder) {
    body.destroy();
    throw unusable("the answer is encoded in an unknown way");
  }
  const chunks: Buffer[] = [];
  let bytes = 0;
  await pipeline(
    body,
    decoder,
    async (source: AsyncIterable<Buffer>) => {
      for await (const chunk of source) {
        bytes += chunk.length;
        if (bytes > longestBodyBytes) throw unusable(`the answer is longer than ${longestBodyBytes / 1024 / 1024} MB`);
        chunks.push(chunk);
      }
    },
    { signal },
  );
  return Buffer.concat(chunks).toString("utf8");
}

const neverSent = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "UND_ERR_CONNECT_TIMEOUT",
]);
const isTls = (code: string) => /^(ERR_TLS|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_(GET|VERIFY))/.test(code);

function unreachable(error: unknown, label: string, timeoutMs: number | undefined): FrontdoorError {
  const { cause, errors = [] } = error as { cause?: unknown; errors?: unknown[] };
  const codes = [error, cause, ...errors]
    .map((each) => (each as { code?: unknown } | undefined)?.code)
    .filter((code) => typeof code === "string");
  const code = codes[0];
  const what =
    timeoutMs !== undefined
      ? `no answer within ${Math.ceil(timeoutMs / 1000)} s`
      : `no usable answer (${code ?? "connection lost"})`;
  const remedy = codes.some(isTls) ? "; the server's TLS certificate is not trusted: check frontdoor:baseUrl" : "";
  return new FrontdoorError(`${label}: ${what}${remedy}`, {
    kind: "unreachable",
    mayHaveRun: !codes.some((each) => neverSent.has(each) || isTls(each)),
  });
}
