import { once } from "node:events";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import type { Agent, buildConnector, Dispatcher, EnvHttpProxyAgent } from "undici";
import { isLoopback, isSafeAddress } from "../config";
import { afterNoAnswer, FrontdoorError } from "../errors";

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
  /** True for the token endpoint: at a loopback address, it need not be the emulator. */
  isToken?: true;
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

const wrongProxy =
  "the environment names a proxy whose URL is invalid. Nothing was sent. Set HTTPS_PROXY or HTTP_PROXY to an http or https URL. [proxy-invalid]";

/**
 * Opens a connection pool. For https addresses it uses a proxy of the environment (HTTPS_PROXY, NO_PROXY). Connecting, also to or
 * through a proxy, may take `timeoutMs`, but at most 10 s.
 */
export function openPool(timeoutMs = 40_000): { send: Send; close: () => Promise<void> } {
  const opened: { direct?: Agent; proxied?: EnvHttpProxyAgent } = {};
  const dispatcherOf = ({ url, label }: Sent): Dispatcher => {
    const { Agent, EnvHttpProxyAgent } = undici();
    if (!url.startsWith("https:")) return (opened.direct ??= new Agent(poolOptions(timeoutMs)));
    try {
      return (opened.proxied ??= new EnvHttpProxyAgent(poolOptions(timeoutMs)));
    } catch {
      // The error of undici can hold the address, and the address a password.
      throw new FrontdoorError(`${label}: ${wrongProxy}`, { kind: "failed", beforeSending: true });
    }
  };
  const send: Send = async (request) => {
    const { timeoutMs, label, signal: stop } = request;
    const dispatcher = dispatcherOf(request);
    const tooLate = AbortSignal.timeout(Math.max(1, Math.ceil(timeoutMs)));
    const signal = stop ? AbortSignal.any([stop, tooLate]) : tooLate;
    // undici heeds the signal only once there is a connection.
    const aborted = once(signal, "abort").then((): never => {
      throw signal.reason;
    });
    try {
      signal.throwIfAborted();
      const answer = dispatcher.request(onWire(request, signal));
      return await Promise.race([answer.then((data) => received(data, request)), aborted]);
    } catch (error) {
      if (error instanceof FrontdoorError) throw error;
      if (!signal.aborted) throw unanswered(error, request);
      throw cutShort(label, stop?.aborted ? undefined : timeoutMs);
    }
  };
  return {
    send,
    close: async () => {
      await Promise.all([opened.direct?.destroy(), opened.proxied?.destroy()]);
    },
  };
}

function poolOptions(timeoutMs: number) {
  const { Pool, buildConnector } = undici();
  const tls = {
    // The certificate of every connection is verified, whatever NODE_TLS_REJECT_UNAUTHORIZED says.
    rejectUnauthorized: true,
    // With HTTP/2, undici sends a request again if the server resets its stream as refused.
    allowH2: false,
    timeout: Math.min(10_000, timeoutMs),
  };
  return {
    connections: 32,
    keepAliveTimeout: 10_000,
    maxHeaderSize: 64 * 1024,
    maxResponseSize: longestBodyBytes,
    // The signal of each request ends it.
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: buildConnector(tls),
    requestTls: tls,
    proxyTls: tls,
    factory: (origin: string | URL, options: { connect: buildConnector.connector }): Dispatcher =>
      new Pool(origin, { ...options, connect: noting(options.connect) }),
    // The client of a proxy, which sends CONNECT, has only the settings of this factory.
    clientFactory: (origin: URL, { connect }: { connect: buildConnector.connector }): Dispatcher =>
      new Pool(origin, { connect: noting(connect, origin.host), headersTimeout: timeoutMs }),
  };
}

/** An error of undici. `isConnecting` is true if there was no connection yet, so that nothing was sent. `proxy` is the one that was not reached. */
interface Cut {
  isConnecting?: true;
  proxy?: string;
  code?: string;
  cause?: unknown;
  errors?: unknown[];
}

/** Connects, and notes on an error that the request was not sent, and the proxy that was not reached. */
const noting =
  (connect: buildConnector.connector, proxy?: string): buildConnector.connector =>
  (options, callback) => {
    connect(options, (...[error, socket]) => {
      if (error) callback(Object.assign(error, { isConnecting: true, ...(proxy !== undefined && { proxy }) }), null);
      else callback(null, socket);
    });
  };

/** Returns the error of a request that was stopped, or that got no answer within this time. */
function cutShort(label: string, timeoutMs: number | undefined): FrontdoorError {
  const why =
    timeoutMs === undefined
      ? "the run was stopped before the response. Run the command again. [stopped]"
      : `no response within ${Math.ceil(timeoutMs / 1000)} s. ${afterNoAnswer(label)} [no-answer]`;
  return new FrontdoorError(`${label}: ${why}`, { kind: "unreachable", mayHaveRun: true });
}

/** Returns a request as undici sends it. */
function onWire({ method, url, headers, body }: Sent, signal: AbortSignal): Dispatcher.RequestOptions {
  const { origin, pathname, search } = new URL(url);
  const path = pathname + search;
  return { origin, path, method, headers: { ...headers, "accept-encoding": "gzip" }, body: body ?? null, signal };
}

/** Reads an answer. @throws FrontdoorError of an unusable body, and the errors of undici. */
async function received(
  answer: Dispatcher.ResponseData,
  { label, setting = "frontdoor:baseUrl" }: Sent,
): Promise<Received> {
  const text = await textOf(answer, (what) => {
    const message = `${label}: ${what}. Check the URL in ${setting}. [unusable-answer]`;
    return new FrontdoorError(message, { kind: "unexpected-response", status: answer.statusCode, paths: [] });
  });
  return { status: answer.statusCode, headers: answer.headers, text };
}

/** Returns a body as text. @throws what `unusable` makes of a body that is too long, before or after decoding, or cannot be decoded. */
async function textOf(
  { body, headers: { "content-encoding": encoding = "identity" } }: Dispatcher.ResponseData,
  unusable: (what: string) => FrontdoorError,
): Promise<string> {
  try {
    const bytes = Buffer.from(await body.bytes());
    if (bytes.length === 0 || /^identity$/i.test(String(encoding))) return bytes.toString();
    if (!/^(x-)?gzip$/i.test(String(encoding))) throw unusable("the response has an unexpected encoding");
    return (await promisify(gunzip)(bytes, { maxOutputLength: longestBodyBytes })).toString();
  } catch (error) {
    const { code = "" } = error as { code?: string };
    if (["UND_ERR_RES_EXCEEDED_MAX_SIZE", "ERR_BUFFER_TOO_LARGE"].includes(code))
      throw unusable(`the response is longer than ${longestBodyBytes / 1024 / 1024} MB`);
    throw code.startsWith("Z_") ? unusable("the response cannot be decoded") : error;
  }
}

/** An error before the request is sent: its codes, and the message about it. The first row that matches counts. */
interface Cause {
  codes: RegExp;
  problem: (at: string) => string;
  /** The action, with the code of the message. `place` is where the address of the server or proxy stands. */
  action: (place: string, host: string) => string;
}

const causes: Cause[] = [
  {
    codes: /^ERR_SSL_(WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|HTTP_REQUEST)$/,
    problem: (at) => `${at} speaks no TLS at this port`,
    action: (place, host) =>
      isSafeAddress(new URL(`http://${host}`))
        ? `Write http:// instead of https:// in ${place}. [no-tls]`
        : `Check the port in ${place}. [no-tls]`,
  },
  {
    codes: /^CERT_HAS_EXPIRED$/,
    problem: (at) => `the TLS certificate of ${at} is not trusted, because it has expired`,
    action: () => "Have the certificate renewed. [certificate-not-trusted]",
  },
  {
    codes: /^ERR_TLS_CERT_ALTNAME_INVALID$/,
    problem: (at) => `the TLS certificate is not trusted, because it does not name ${at}`,
    action: (place) => `Check the host in ${place}. [certificate-not-trusted]`,
  },
  {
    codes: /^(ERR_TLS|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_(GET|VERIFY))/,
    problem: (at) => `the TLS certificate of ${at} is not trusted`,
    action: () =>
      "If its authority is your own, name that authority's file in NODE_EXTRA_CA_CERTS. [certificate-not-trusted]",
  },
  {
    codes: /^(EPROTO|ERR_SSL_)/,
    problem: (at) => `the TLS handshake with ${at} failed`,
    action: () => "Let that server accept TLS 1.2 or 1.3 without a client certificate. [tls-failed]",
  },
  {
    codes: /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT)$/,
    problem: (at) => `nothing was reached at ${at}`,
    action: (place) => `Check the URL in ${place}. [unreachable]`,
  },
];

/** The emulator's own choice of a port. */
const emulatorPort = "8480";

/** Only the emulator, or a tunnel of the user's own, has a loopback address. */
function emulatorOff(host: string): string {
  const port = new URL(`http://${host}`).port || "80";
  const option = port === emulatorPort ? "" : ` --port ${port}`;
  return `Nothing listens at ${host}. Start the emulator: \`npx pulumi-frontdoor emulator${option}\`. [unreachable]`;
}

/** Returns what to check if the proxy of a server does not answer. */
function proxySetting(host: string): string {
  const { no_proxy: exceptions = process.env["NO_PROXY"] ?? "" } = process.env;
  const hint = exceptions.includes("/") ? " (it takes no networks such as 10.0.0.0/8)" : "";
  return `HTTPS_PROXY, or name ${host} in NO_PROXY${hint}`;
}

/** Returns the error for a request without an answer. */
export function unanswered(
  error: unknown,
  request: Pick<Sent, "label" | "url" | "setting" | "isToken">,
): FrontdoorError {
  const { label, url, setting = "frontdoor:baseUrl", isToken } = request;
  const { host } = new URL(url);
  const { isConnecting, proxy, cause, errors = [] } = error as Cut;
  const codes = [error, cause, ...errors].flatMap((one) => (one as Cut | undefined)?.code ?? []);
  // The same codes can come later, on a connection that breaks.
  const row = isConnecting && causes.find(({ codes: pattern }) => codes.some((code) => pattern.test(code)));
  const [at, place] = proxy === undefined ? [host, setting] : [`the proxy ${proxy}`, proxySetting(host)];
  const isRefused = isConnecting && codes.includes("ECONNREFUSED");
  const trouble = { kind: "unreachable", mayHaveRun: !row } as const;
  if (isRefused && proxy === undefined && !isToken && isLoopback(host))
    return new FrontdoorError(`${label}: ${emulatorOff(host)}`, { ...trouble, isLocal: true });
  const problem = row ? row.problem(at) : `the connection to ${at} ended before the response`;
  const code = codes[0] === undefined ? "" : ` (${codes[0]})`;
  const action = row ? row.action(place, proxy ?? host) : `${afterNoAnswer(label)} [connection-lost]`;
  return new FrontdoorError(`${label}: ${problem}${code}. ${action}`, trouble);
}
