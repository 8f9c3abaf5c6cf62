import type { Config } from "../../provider/config";
import { type FrontdoorError, isRefused, seconds, type Trouble, troubleOf } from "../../provider/errors";
import { openPool, type Received } from "../../provider/http/send";
import { say } from "../output";
import { openReading } from "../reading";
import { type Check, notChecked, ok, wrong } from "./check";
import { expiryOf } from "./token";

/** A difference that is no fault of the way that the answer took. */
const mostSkewMs = 60_000;

/** One list is asked for: what it says of path, token, front door, feature and clock. */
export async function checkService(
  config: Config,
  frontdoorId: string,
): Promise<{ checks: Check[]; isReached: boolean }> {
  let answer: Received | undefined;
  const pool = openPool(config.requestTimeoutMs);
  const send: typeof pool.send = async (request) => (answer = await pool.send(request));
  const { service, close } = openReading(config, say, { ...pool, send });
  let problem: FrontdoorError | undefined;
  try {
    const { tunnels } = service.frontDoor(frontdoorId);
    await tunnels.calls.list([], service.until(30), { mostPages: 1, once: true });
  } catch (error) {
    if (!troubleOf(error)) throw error;
    problem = error as FrontdoorError;
  } finally {
    await close();
  }
  const isReached = problem === undefined || troubleOf(problem)?.kind !== "unreachable";
  return { checks: [...judged(config, frontdoorId, problem), clockOf(answer)], isReached };
}

/** What has to be right, each only where those before it are. */
const names = ["path", "token", "front door", "IPsec shares"] as const;

function judged(config: Config, frontdoorId: string, problem: FrontdoorError | undefined): Check[] {
  const accepted = config.credentials.kind === "client" ? "fetched, and accepted" : "accepted";
  const good = { path: config.baseUrl, token: accepted, "front door": frontdoorId, "IPsec shares": "enabled" };
  const fault = problem && faultOf(config, frontdoorId, problem);
  const at = fault ? names.findIndex((name) => name === fault.name) : names.length;
  // A 403 does not tell a token without access from a front door that is not there.
  const isOpen = (name: string) => name === "token" && isRefused(problem, 403);
  return names.map((name, index) => {
    if (fault && index === at) return fault;
    return index < at && !isOpen(name)
      ? ok(name, good[name])
      : notChecked(name, `can't be told: ${fault?.name ?? ""} first`);
  });
}

/** What the answer says is wrong (spec: Errors), and what to do. */
function faultOf(config: Config, frontdoorId: string, problem: FrontdoorError): Check {
  const { kind, status, beforeSending } = problem.trouble as Trouble & { status?: number };
  const expired = expiryOf(config.credentials);
  if (beforeSending)
    return wrong("token", problem.message, "check frontdoor:tokenUrl, clientId, clientSecret, audience and scope");
  if (kind === "unreachable")
    return wrong("path", problem.message, "the service has trouble, or what stands before it: try again later");
  if ((status === 401 || status === 403) && expired !== undefined)
    return wrong("token", `it has expired ${expired} (${status})`, "set frontdoor:token or FRONTDOOR_TOKEN anew");
  if (status === 401)
    return wrong(
      "token",
      "it is not accepted (401)",
      "set frontdoor:token or FRONTDOOR_TOKEN anew; with a wrong clock, set that right first",
    );
  if (status === 403)
    return wrong(
      "front door",
      `${frontdoorId} was not found for this token (403)`,
      "the service says the same of three things: the id is wrong (frontdoor:frontdoorId, FRONTDOOR_ID); the token has expired or does not grant access to it; IPsec shares are not enabled for it, which the account manager does",
    );
  return wrong(
    "path",
    `${config.baseUrl} is not the service's (${status ?? problem.message})`,
    pathRemedy(config.baseUrl),
  );
}

function pathRemedy(baseUrl: string): string {
  const { origin, pathname } = new URL(baseUrl);
  const first = pathname.split("/frontdoor")[0] ?? "";
  return /\/frontdoor\/.*\/frontdoor$|\/frontdoor\/frontdoor$/.test(pathname)
    ? `the path is doubled: frontdoor:baseUrl ends with its first /frontdoor, ${origin}${first}/frontdoor`
    : "frontdoor:baseUrl must be the service's address up to /frontdoor, without the version";
}

/** This machine's clock against the server's. */
function clockOf(answer: Received | undefined): Check {
  const date = answer?.headers["date"];
  const behindMs = typeof date === "string" ? Date.parse(date) - Date.now() : NaN;
  if (Number.isNaN(behindMs)) return notChecked("clock", "no answer tells the time");
  if (Math.abs(behindMs) < mostSkewMs) return ok("clock", "as the service's");
  const direction = behindMs > 0 ? "behind" : "ahead";
  return wrong(
    "clock",
    `this machine's clock is ${seconds(Math.abs(behindMs))} ${direction}`,
    "set it right: tokens count as expired by it",
  );
}
