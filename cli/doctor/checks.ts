import { randomUUID } from "node:crypto";
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
  name,
  state: "wrong",
  found,
  remedy,
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

/** A smaller difference can come from the time that the answer took. */
const mostSkewMs = 60_000;

/**
 * Reads one list, and checks address, certificate, path, token, front door, feature and clock by the answer. Without a front door it checks
 * only the token.
 */
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
  const tls = ["no-tls", "certificate-not-trusted", "tls-failed"];
  if (problem && !answer)
    return { checks: [inItsWords(tls.includes(problem.code ?? "") ? "TLS" : "address", problem)], isReached: false };
  const isReached = troubleOf(problem)?.kind !== "unreachable";
  const got = credentials.kind === "client" ? `fetched${lifetime}` : "given";
  const checks =
    frontdoorId === undefined
      ? [tokenOnly(io, config, got, problem)]
      : judged(io, { config, frontdoorId, got, problem });
  return { checks: [...networkOf(config), ...checks, clockOf(io.clock, answer)], isReached };
}

/** The checks of a network over which a response came. */
const networkOf = ({ baseUrl }: Config): Check[] => [
  ok("address", `${new URL(baseUrl).host} responds`),
  ...(baseUrl.startsWith("https:") ? [ok("TLS", "the certificate is trusted")] : []),
];

/** Notes what NO_PROXY can't except. */
export function checkExceptions({ NO_PROXY, no_proxy: exceptions = NO_PROXY ?? "" }: NodeJS.ProcessEnv): Check[] {
  if (!exceptions.includes("/")) return [];
  return [note("proxy", "NO_PROXY names a network, which has no effect", "name Frontdoor's host in it, or its domain")];
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
  const { status, beforeSending } = problem.trouble as Trouble & { status?: number };
  const { source } = config.credentials;
  const expiry = expiryOf(config.credentials, clock);
  if ((status === 401 || status === 403) && expiry?.isOver)
    return wrong("token", `it ${expiry.words} (${status})`, `set a new token in ${source} [token-refused]`);
  if (status === 403)
    return wrong(
      "front door",
      `${frontdoorId} was not found for this token (403)`,
      `check ${placeOf(config, "frontdoorId")}, then the token's access to it, then that IPsec shares are enabled for it [not-found-front-door]`,
    );
  const [, address] = /^(.*?\/frontdoor)\/(?:.*\/)?frontdoor$/.exec(config.baseUrl) ?? [];
  if (status === 404 && address !== undefined)
    return wrong("path", "the path is doubled", `set ${placeOf(config, "baseUrl")} to ${address} [not-the-service]`);
  return inItsWords(beforeSending || status === 401 ? "token" : "path", problem);
}

/** Returns a problem in the words of the provider. */
function inItsWords(name: string, { message }: FrontdoorError): Check {
  const found = problemIn(message).replace(/^\w+ \/\S+: /, "");
  const remedy = message.slice(message.indexOf(found) + found.length).replace(/^\. (Nothing was sent\. )?/, "");
  return wrong(name, found, remedy.replace(/\. \[/, " ["));
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
