import { randomUUID } from "node:crypto";
import type { Config } from "../../provider/config";
import {
  type FrontdoorError,
  isRefused,
  limit,
  seconds,
  type Trouble,
  troubleOf,
  withCode,
  problemIn,
} from "../../provider/errors";
import { openPool, type Received } from "../../provider/http/send";
import { say } from "../output";
import { openReading } from "../connection";
import { type Check, expiryOf, notChecked, ok, wrong } from "./check";

/** A smaller difference can come from the time that the answer took. */
const mostSkewMs = 60_000;

/** Reads one list, and checks path, token, front door, feature and clock by the answer. Without a front door it checks only the token. */
export async function checkService(
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
  const { service, close } = openReading(config, say, { ...pool, send });
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
    frontdoorId === undefined ? [tokenOnly(config, got, problem)] : judged(config, frontdoorId, got, problem);
  return { checks: [...checks, clockOf(answer)], isReached };
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
function tokenOnly(config: Config, got: string, problem: FrontdoorError | undefined): Check {
  const fault = problem && faultOf(config, "", problem);
  return fault?.name === "front door" || !fault
    ? ok("token", `${got}; a front door is needed to see whether it has access`)
    : fault;
}

/** The checks of one answer, in order. A problem leaves the later checks open. */
const names = ["path", "token", "front door", "IPsec shares"] as const;

function judged(config: Config, frontdoorId: string, got: string, problem: FrontdoorError | undefined): Check[] {
  const accepted = got === "given" ? "accepted" : `${got}, and accepted`;
  const good = { path: config.baseUrl, token: accepted, "front door": frontdoorId, "IPsec shares": "enabled" };
  const fault = problem && faultOf(config, frontdoorId, problem);
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
function faultOf(config: Config, frontdoorId: string, problem: FrontdoorError): Check {
  const { kind, status, beforeSending } = problem.trouble as Trouble & { status?: number };
  const { source } = config.credentials;
  const expiry = expiryOf(config.credentials);
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
      withCode("the service or a gateway has trouble: try again later", problem.code ?? "service-trouble"),
    );
  if ((status === 401 || status === 403) && expiry?.isOver)
    return wrong("token", `it ${expiry.words} (${status})`, newToken);
  if (status === 401) return wrong("token", "it is not accepted (401)", newToken);
  if (status === 403)
    return wrong(
      "front door",
      `${frontdoorId} was not found for this token (403)`,
      "check frontdoor:frontdoorId, then the token's access to it, then that IPsec shares are enabled for it [not-found-front-door]",
    );
  return wrong(
    "path",
    `${config.baseUrl} is not the address of the service (${status ?? problemIn(problem.message)})`,
    pathRemedy(config.baseUrl),
  );
}

function pathRemedy(baseUrl: string): string {
  const { origin, pathname } = new URL(baseUrl);
  const first = pathname.split("/frontdoor")[0] ?? "";
  return /\/frontdoor\/.*\/frontdoor$|\/frontdoor\/frontdoor$/.test(pathname)
    ? `the path is doubled: set frontdoor:baseUrl to ${origin}${first}/frontdoor [not-the-service]`
    : "set frontdoor:baseUrl to the service's address up to /frontdoor, without the version [not-the-service]";
}

/** Compares this machine's clock with the clock of the server. */
function clockOf(answer: Received | undefined): Check {
  const date = answer?.headers["date"];
  const behindMs = typeof date === "string" ? Date.parse(date) - Date.now() : NaN;
  if (Number.isNaN(behindMs)) return notChecked("clock", "no answer has a date");
  if (Math.abs(behindMs) < mostSkewMs) return ok("clock", "as the service's");
  const direction = behindMs > 0 ? "behind" : "ahead";
  return wrong(
    "clock",
    `this machine's clock is ${seconds(Math.abs(behindMs))} ${direction}`,
    "set the clock: tokens expire by it [clock-behind]",
  );
}
