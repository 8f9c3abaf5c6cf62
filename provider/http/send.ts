import { promisify } from "node:util";
import { brotliDecompress, gunzip, inflate } from "node:zlib";
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

const decoders: Record<string, (body: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>> = {
  gzip: promisify(gunzip),
  "x-gzip": promisify(gunzip),
  deflate: promisify(inflate),
  br: promisify(brotliDecompress),
  identity: (body) => Promise.resolve(body),
};

/** A connection pool of its own; a proxy of the environment (HTTPS_PROXY, NO_PROXY) is used for https addresses. */
export function openPool(): { send: Send; close: () => Promise<void> } {
  const options = { connections: 32, connect: { timeout: 10_000 }, keepAliveTimeout: 10_000, maxHeaderSize: 64 * 1024 };
  const direct = new Agent(options);
  let proxied: EnvHttpProxyAgent | undefined;
  return {
    send: (request) =>
      send(request.url.startsWith("https:") ? (proxied ??= new EnvHttpProxyAgent(options)) : direct, request),
    close: async () => {
      await Promise.all([direct.destroy(), proxied?.destroy()]);
    },
  };
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
    const text = await decoded(answer.body, answer.headers["content-encoding"], unusable);
    return { status: answer.statusCode, headers: answer.headers, text };
  } catch (error) {
    if (error instanceof FrontdoorError) throw error;
    throw unreachable(error, label, signal.aborted ? timeoutMs : undefined);
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
  if (bytes === 0) return "";
  const decode = decoders[typeof encoding === "string" ? encoding.trim().toLowerCase() : "identity"];
  if (!decode) throw unusable("the answer is encoded in an unknown way");
  try {
    return (await decode(Buffer.concat(chunks), { maxOutputLength: longestBodyBytes })).toString("utf8");
  } catch (error) {
    throw unusable(
      (error as { code?: string }).code === "ERR_BUFFER_TOO_LARGE" ? tooLong : "the answer can't be decoded",
    );
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
const isTls = (code: string) =>
  /^(EPROTO|ERR_SSL|ERR_TLS|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_(GET|VERIFY))/.test(code);

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
