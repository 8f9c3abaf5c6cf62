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
  // Without HTTP/2: undici sends a request again if the server resets its stream as refused.
  const connect = { ...verified, timeout: Math.min(10_000, timeoutMs), allowH2: false };
  // The client of a proxy, which sends CONNECT, has only the settings of this factory.
  const clientFactory = (origin: URL, { connect }: { connect: buildConnector.connector }): Dispatcher =>
    new (undici().Pool)(origin, { connect: namingProxy(origin, connect), headersTimeout: timeoutMs });
  const tls = { connect, requestTls: connect, proxyTls: connect };
  const options = { ...sizes, ...tls, allowH2: false, headersTimeout: timeoutMs, clientFactory };
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

/** Connects to a proxy. Its errors name the proxy. */
const namingProxy =
  ({ host: proxy }: URL, connect: buildConnector.connector): buildConnector.connector =>
  (options, callback) => {
    connect(options, (...[error, socket]) => {
      if (error) callback(Object.assign(error, { proxy }), null);
      else callback(null, socket);
    });
  };

async function send(
  dispatcher: Dispatcher,
  { method, url, headers, body, timeoutMs, label, setting = "frontdoor:baseUrl", signal: stop }: Sent,
): Promise<Received> {
  const { origin, host, pathname, search } = new URL(url);
  const tooLate = AbortSignal.timeout(Math.max(1, Math.ceil(timeoutMs)));
  const signal = stop ? AbortSignal.any([stop, tooLate]) : tooLate;
  const progress = { isSent: false };
  const exchange = async (): Promise<Received> => {
    const answer = await noting(dispatcher, progress).request({
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
    const text = await decoded(answer.body, answer.headers["content-encoding"], (what) => {
      const message = `${label}: ${what}. Check the address in ${setting}. [unusable-answer]`;
      return new FrontdoorError(message, { kind: "unexpected-response", status, paths: [] });
    });
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
        `${label}: no answer within ${Math.ceil(timeoutMs / 1000)} s. ${afterNoAnswer(label)} [no-answer]`,
        true,
      );
    throw unanswered(error, { label, host, setting, ...progress });
  }
}

/** Returns the dispatcher. It sets `isSent` just before undici writes the request on a connection. */
const noting = (dispatcher: Dispatcher, progress: { isSent: boolean }) =>
  dispatcher.compose((dispatch) => (options, handler) => {
    const begin = handler.onRequestStart?.bind(handler);
    handler.onRequestStart = (...given) => {
      progress.isSent = true;
      begin?.(...given);
    };
    return dispatch(options, handler);
  });

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
  encoding: string | string[] = "identity",
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
  if (bytes === 0 || /^identity$/i.test(String(encoding))) return whole.toString("utf8");
  if (!/^(x-)?gzip$/i.test(String(encoding))) throw unusable("the answer has an unexpected encoding");
  try {
    return (await promisify(gunzip)(whole, { maxOutputLength: longestBodyBytes })).toString("utf8");
  } catch (error) {
    const { code } = error as { code?: string };
    throw unusable(code === "ERR_BUFFER_TOO_LARGE" ? tooLong : "the answer cannot be decoded");
  }
}

const unreachable = (message: string, mayHaveRun: boolean) =>
  new FrontdoorError(message, { kind: "unreachable", mayHaveRun });

/** An error before the request is sent: its codes, and the message about it. The first row that matches counts. */
interface Cause {
  codes: RegExp;
  problem: (host: string) => string;
  /** The action, with the code of the message. */
  action: (setting: string, host: string, label: string) => string;
}

const causes: Cause[] = [
  {
    codes: /^ERR_SSL_(WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|HTTP_REQUEST)$/,
    problem: (host) => `${host} speaks no TLS at this port`,
    action: (setting, host) =>
      isSafeAddress(new URL(`http://${host}`))
        ? `Write http:// instead of https:// in ${setting}. [no-tls]`
        : `Check the port in ${setting}. [no-tls]`,
  },
  {
    codes: /^CERT_HAS_EXPIRED$/,
    problem: (host) => `the TLS certificate of ${host} is not trusted, because it has expired`,
    action: () => "Have the certificate renewed. [certificate-not-trusted]",
  },
  {
    codes: /^ERR_TLS_CERT_ALTNAME_INVALID$/,
    problem: (host) => `the TLS certificate is not trusted, because it does not name ${host}`,
    action: (setting) => `Check the host in ${setting}. [certificate-not-trusted]`,
  },
  {
    codes: /^(ERR_TLS|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_(GET|VERIFY))/,
    problem: (host) => `the TLS certificate of ${host} is not trusted`,
    action: () =>
      "If its authority is your own, name that authority's file in NODE_EXTRA_CA_CERTS. [certificate-not-trusted]",
  },
  {
    codes: /^(EPROTO|ERR_SSL_)/,
    problem: (host) => `the TLS handshake with ${host} failed`,
    action: () => "Let that server accept TLS 1.2 or 1.3 without a client certificate. [tls-failed]",
  },
  {
    codes: /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT)$/,
    problem: (host) => `nothing was reached at ${host}`,
    action: (setting) => `Check the address in ${setting}. [unreachable]`,
  },
];

/** The message about any other error: the request can have arrived. */
const lost: Omit<Cause, "codes"> = {
  problem: (host) => `the connection to ${host} ended before the answer`,
  action: (_setting, _host, label) => `${afterNoAnswer(label)} [connection-lost]`,
};

/** The emulator's own choice of a port. */
const emulatorPort = "8480";

/** Only the emulator, or a tunnel of the user's own, has a loopback address. */
function emulatorOff(host: string): string {
  const port = new URL(`http://${host}`).port || "80";
  const option = port === emulatorPort ? "" : ` --port ${port}`;
  return `Nothing listens at ${host}. Start the emulator: \`npx frontdoor emulator${option}\`. [unreachable]`;
}

/** The request: its name in messages, its server, and the setting that holds the address. `isSent` is false if no byte of it was sent. */
interface Asked {
  label: string;
  host: string;
  setting: string;
  isSent: boolean;
}

/** Returns what to check if the proxy of a server does not answer. */
function proxySetting(host: string): string {
  const { no_proxy: exceptions = process.env["NO_PROXY"] ?? "" } = process.env;
  const hint = exceptions.includes("/") ? " (it takes no networks such as 10.0.0.0/8)" : "";
  return `HTTPS_PROXY, or name ${host} in NO_PROXY${hint}`;
}

/** Returns the error for a request without an answer. `mayHaveRun` is false only if the request cannot have arrived. */
export function unanswered(error: unknown, { label, host, setting, isSent }: Asked): FrontdoorError {
  const { cause, errors = [], proxy } = error as { cause?: unknown; errors?: unknown[]; proxy?: string };
  const codes = [error, cause, ...errors]
    .map((each) => (each as { code?: unknown } | undefined)?.code)
    .filter((code) => typeof code === "string");
  // The same codes can come later, on a connection that breaks.
  const found = isSent ? undefined : causes.find((row) => codes.some((code) => row.codes.test(code)));
  if (
    found &&
    proxy === undefined &&
    setting === "frontdoor:baseUrl" &&
    codes.includes("ECONNREFUSED") &&
    isLoopback(host)
  )
    return new FrontdoorError(`${label}: ${emulatorOff(host)}`, {
      ...{ kind: "unreachable", mayHaveRun: false, isLocal: true },
    });
  const { problem, action } = found ?? lost;
  const code = codes[0] === undefined ? "" : ` (${codes[0]})`;
  const [at, place] = proxy === undefined ? [host, setting] : [`the proxy ${proxy}`, proxySetting(host)];
  const message = `${label}: ${problem(at)}${code}. ${action(place, proxy ?? host, label)}`;
  return new FrontdoorError(message, { kind: "unreachable", mayHaveRun: found === undefined });
}
