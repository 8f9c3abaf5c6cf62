import { randomUUID } from "node:crypto";
import { lookup } from "node:dns/promises";
import { once } from "node:events";
import { connect } from "node:net";
import { connect as connectTls } from "node:tls";
import { type Config, type Credentials, placeOf } from "../../provider/config";
import { endOf } from "../../provider/credentials";
import {
  type FrontdoorError,
  type Trouble,
  codeOf,
  isRefused,
  limit,
  problemIn,
  seconds,
  troubleOf,
  withCode,
} from "../../provider/errors";
import { type Received, openPool } from "../../provider/http/send";
import type { Clock } from "../../provider/time";
import { openReading } from "../shared/configuration";
import type { Io } from "../shared/io";

/** The result of one check. A problem and a note have a remedy. */
export interface Check {
  name: string;
  state: "ok" | "wrong" | "note" | "not checked";
  found: string;
  remedy?: string;
  /** The code at the end of the remedy of a problem. */
  code?: string | undefined;
}

export const ok = (name: string, found: string): Check => ({ name, state: "ok", found });
export const wrong = (name: string, found: string, remedy: string): Check => ({
  ...{ name, state: "wrong", found, remedy },
  code: codeOf(remedy),
});
export const note = (name: string, found: string, remedy: string): Check => ({ name, state: "note", found, remedy });
export const notChecked = (name: string, why: string): Check => ({ name, state: "not checked", found: why });

/** Returns when a JSON web token ends, as words such as "is valid for 42 min"; undefined if it is no such token. */
export function expiryOf(credentials: Credentials, clock: Clock): { isOver: boolean; words: string } | undefined {
  const endMs = endOf(credentials);
  if (endMs === undefined) return undefined;
  const [at, leftMs] = [new Date(endMs).toISOString(), endMs - clock.wall()];
  if (leftMs < 0) return { isOver: true, words: `has expired at ${at}` };
  return { isOver: false, words: `is valid for ${limit(leftMs)}, until ${at}` };
}

const longestMs = 10_000;

/** Checks the service's name, port and certificate, in this order. A problem ends the checks. */
export async function checkNetwork(env: NodeJS.ProcessEnv, config: Config): Promise<Check[]> {
  const { baseUrl } = config;
  const place = placeOf(config, "baseUrl");
  const { protocol, hostname, port: written } = new URL(baseUrl);
  const host = hostname.replace(/^\[|\]$/g, "");
  const isTls = protocol === "https:";
  const port = written === "" ? (isTls ? 443 : 80) : Number(written);
  const { NO_PROXY, no_proxy: exceptions = NO_PROXY ?? "" } = env;
  const proxies = isTls ? proxyVariables(env) : [];
  if (proxies.some(([, address]) => !isProxyAddress(address)))
    return [wrong("address", "the environment names a proxy whose URL is invalid", proxyRemedy)];
  if (proxies[0] && !isExcepted(exceptions, host, port)) {
    const checks = [notChecked("address", `${host}:${port} is reached through a proxy (${proxies[0][0]})`)];
    if (!exceptions.includes("/")) return checks;
    return [
      ...checks,
      note("address", "NO_PROXY names a network, which has no effect", `name ${host} in it, or its domain`),
    ];
  }
  const address = await named(host, place);
  if (address.state === "wrong") return [address];
  const reached = await connected(host, port, place);
  if (reached.state === "wrong" || !isTls) return [reached];
  return [reached, await secured(host, port, place)];
}

const proxyRemedy = "set HTTPS_PROXY and HTTP_PROXY to http or https URLs [proxy-invalid]";

/** The variables that name the proxy of https addresses, in the order that the provider's requests follow. */
const proxyVariables = (env: NodeJS.ProcessEnv): [name: string, address: string][] =>
  ["HTTPS_PROXY", "HTTP_PROXY"]
    .map((name): [string, string] => [name, env[name.toLowerCase()] ?? env[name] ?? ""])
    .filter(([, address]) => address !== "");

const isProxyAddress = (address: string): boolean =>
  URL.canParse(address) && /^(https?|socks5?):$/.test(new URL(address).protocol);

/** Whether NO_PROXY excepts a host: itself, its domain, or all hosts, each perhaps with a port. As undici reads it. */
function isExcepted(exceptions: string, host: string, port: number): boolean {
  const plainName = (name: string) =>
    name
      .replace(/^\[|\]$/g, "")
      .replace(/(.)\.$/, "$1")
      .toLowerCase();
  const name = plainName(host);
  return exceptions.split(/[,\s]+/).some((entry) => {
    const [, written = entry, ofPort] = /^(\[.+\]|[^:]+):(\d+)$/.exec(entry) ?? [];
    if (entry === "" || (ofPort !== undefined && Number(ofPort) !== port)) return false;
    const domain = plainName(written.replace(/^\*?\./, ""));
    return domain === "*" || name.endsWith(`.${domain}`) || (!written.startsWith("*") && name === domain);
  });
}

async function named(host: string, place: string): Promise<Check> {
  try {
    const { address } = await lookup(host);
    return ok("address", `${host} is ${address}`);
  } catch (error) {
    return wrong(
      "address",
      `the name ${host} is not known (${troubleCode(error)})`,
      `check the host in ${place} [unreachable]`,
    );
  }
}

async function connected(host: string, port: number, place: string): Promise<Check> {
  const socket = connect({ host, port });
  try {
    await once(socket, "connect", { signal: AbortSignal.timeout(longestMs) });
    return ok("address", `${host}:${port} takes connections`);
  } catch (error) {
    const code = troubleCode(error);
    return code === "ECONNREFUSED"
      ? wrong(
          "address",
          `nothing listens on ${host}:${port} (${code})`,
          `check host and port in ${place} [unreachable]`,
        )
      : wrong(
          "address",
          `no connection to ${host}:${port} (${code})`,
          "check the firewall and the VPN on the way [unreachable]",
        );
  } finally {
    socket.destroy();
  }
}

async function secured(host: string, port: number, place: string): Promise<Check> {
  const socket = connectTls({ host, port, ...(/[a-z]/i.test(host) && { servername: host }) });
  try {
    await once(socket, "secureConnect", { signal: AbortSignal.timeout(longestMs) });
    const { valid_to: until, issuer } = socket.getPeerCertificate();
    return ok("TLS", `the certificate is trusted (${[issuer.CN].flat().join(", ")}), until ${until}`);
  } catch (error) {
    const code = troubleCode(error);
    if (/WRONG_VERSION_NUMBER|PACKET_LENGTH|HTTP_REQUEST/.test(code))
      return wrong(
        "TLS",
        `${host}:${port} does not speak TLS (${code}): it is a plain http port`,
        `name the https port in ${place} [no-tls]`,
      );
    if (code === "CERT_HAS_EXPIRED")
      return wrong(
        "TLS",
        "the server's certificate has expired",
        "have the certificate renewed [certificate-not-trusted]",
      );
    if (code === "ERR_TLS_CERT_ALTNAME_INVALID")
      return wrong(
        "TLS",
        `the server's certificate does not name ${host}`,
        `set ${place} to the host that the certificate names [certificate-not-trusted]`,
      );
    if (/^EPROTO|^ERR_SSL/.test(code))
      return wrong(
        "TLS",
        `the handshake with ${host}:${port} failed (${code})`,
        "let that server accept TLS 1.2 or 1.3 without a client certificate [tls-failed]",
      );
    return wrong(
      "TLS",
      `the server's certificate is not trusted (${code})`,
      "if its authority is your own, name that authority's file in NODE_EXTRA_CA_CERTS [certificate-not-trusted]",
    );
  } finally {
    socket.destroy();
  }
}

function troubleCode(error: unknown): string {
  if ((error as Error).name === "AbortError") return `no response within ${longestMs / 1000} s`;
  const { code, errors } = error as { code?: string; errors?: { code?: string }[] };
  return code ?? errors?.[0]?.code ?? "connection lost";
}

/** A smaller difference can come from the time that the answer took. */
const mostSkewMs = 60_000;

/** Reads one list, and checks path, token, front door, feature and clock by the answer. Without a front door it checks only the token. */
export async function checkService(
  io: Io,
  config: Config,
  frontdoorId: string | undefined,
): Promise<{ checks: Check[]; isReached: boolean }> {
  let answer: Received | undefined;
  let lifetime = "";
  const { credentials } = config;
  const pool = openPool(config.requestTimeoutMs);
  const send: typeof pool.send = async (request) => {
    answer = await pool.send(request);
    if (credentials.kind === "client" && request.url === credentials.tokenUrl) lifetime = lifetimeIn(answer.text);
    return answer;
  };
  const { service, close } = openReading(io, config, { ...pool, send });
  let problem: FrontdoorError | undefined;
  try {
    // Any front door shows whether a token is accepted.
    const { tunnels } = service.frontDoor(frontdoorId ?? randomUUID());
    await tunnels.calls.list([], service.until(30), { mostPages: 1, isPoll: true });
  } catch (error) {
    if (!troubleOf(error)) throw error;
    problem = error as FrontdoorError;
  } finally {
    await close();
  }
  const isReached = problem === undefined || troubleOf(problem)?.kind !== "unreachable";
  const got = credentials.kind === "client" ? `fetched${lifetime}` : "given";
  const checks =
    frontdoorId === undefined
      ? [tokenOnly(io, config, got, problem)]
      : judged(io, { config, frontdoorId, got, problem });
  return { checks: [...checks, clockOf(io.clock, answer)], isReached };
}

/** Returns the lifetime in the answer of a token endpoint, such as " for 60 min"; empty if it has none. */
function lifetimeIn(text: string): string {
  try {
    const seconds = Number((JSON.parse(text) as { expires_in?: unknown }).expires_in);
    return seconds > 0 ? ` for ${limit(seconds * 1000)}` : "";
  } catch {
    return "";
  }
}

/** The check of a token on a front door that does not exist: 403 is the usual answer (spec: Errors), which an ended token also gets. */
function tokenOnly({ clock }: Io, config: Config, got: string, problem: FrontdoorError | undefined): Check {
  const fault = problem && faultOf(clock, config, "", problem);
  return fault?.name === "front door" || !fault
    ? ok("token", `${got}; a front door is needed to see whether it has access`)
    : fault;
}

/** The checks of one answer, in order. A problem leaves the later checks open. */
const names = ["path", "token", "front door", "IPsec shares"] as const;

interface Answered {
  config: Config;
  frontdoorId: string;
  got: string;
  problem: FrontdoorError | undefined;
}

function judged({ clock }: Io, { config, frontdoorId, got, problem }: Answered): Check[] {
  const accepted = got === "given" ? "accepted" : `${got}, and accepted`;
  const good = { path: config.baseUrl, token: accepted, "front door": frontdoorId, "IPsec shares": "enabled" };
  const fault = problem && faultOf(clock, config, frontdoorId, problem);
  const at = fault ? names.findIndex((name) => name === fault.name) : names.length;
  // A 403 does not tell a token without access from a front door that is not there.
  const isOpen = (name: string) => name === "token" && isRefused(problem, 403);
  return names.map((name, index) => {
    if (fault && index === at) return fault;
    return index < at && !isOpen(name)
      ? ok(name, good[name])
      : notChecked(name, `fix the problem with "${fault?.name ?? ""}" first`);
  });
}

/** Returns the problem that the answer shows (spec: Errors), with its remedy. */
function faultOf(clock: Clock, config: Config, frontdoorId: string, problem: FrontdoorError): Check {
  const { kind, status, beforeSending } = problem.trouble as Trouble & { status?: number };
  const { source } = config.credentials;
  const expiry = expiryOf(config.credentials, clock);
  const newToken = `set a new ${source === "frontdoor:token" ? "frontdoor:token" : `token in ${source}`} [token-refused]`;
  if (beforeSending)
    return wrong(
      "token",
      problemIn(problem.message),
      withCode(`check ${source}, and frontdoor:audience, scope and tokenRequest`, problem.code ?? "client-refused"),
    );
  if (kind === "unreachable")
    return wrong(
      "path",
      problemIn(problem.message),
      withCode("Frontdoor or a gateway has trouble: try again later", problem.code ?? "service-trouble"),
    );
  if ((status === 401 || status === 403) && expiry?.isOver)
    return wrong("token", `it ${expiry.words} (${status})`, newToken);
  if (status === 401) return wrong("token", "it is not accepted (401)", newToken);
  if (status === 403)
    return wrong(
      "front door",
      `${frontdoorId} was not found for this token (403)`,
      `check ${placeOf(config, "frontdoorId")}, then the token's access to it, then that IPsec shares are enabled for it [not-found-front-door]`,
    );
  return wrong(
    "path",
    `${config.baseUrl} is not Frontdoor's URL (${status ?? problemIn(problem.message)})`,
    pathRemedy(config),
  );
}

function pathRemedy(config: Config): string {
  const { baseUrl } = config;
  const place = placeOf(config, "baseUrl");
  const { origin, pathname } = new URL(baseUrl);
  const first = pathname.split("/frontdoor")[0] ?? "";
  return /\/frontdoor\/.*\/frontdoor$|\/frontdoor\/frontdoor$/.test(pathname)
    ? `the path is doubled: set ${place} to ${origin}${first}/frontdoor [not-the-service]`
    : `set ${place} to Frontdoor's URL up to /frontdoor, without the version [not-the-service]`;
}

/** Compares this machine's clock with the clock of the server. */
function clockOf(clock: Clock, answer: Received | undefined): Check {
  const date = answer?.headers["date"];
  const behindMs = typeof date === "string" ? Date.parse(date) - clock.wall() : NaN;
  if (Number.isNaN(behindMs)) return notChecked("clock", "no response has a date");
  if (Math.abs(behindMs) < mostSkewMs) return ok("clock", "as Frontdoor's");
  const direction = behindMs > 0 ? "behind" : "ahead";
  return wrong(
    "clock",
    `this machine's clock is ${seconds(Math.abs(behindMs))} ${direction}`,
    "set the clock: tokens expire by it [clock-behind]",
  );
}
