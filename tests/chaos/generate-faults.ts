import type { Random } from "../harness/random";
import { boundaries, type Cancel, type Kill, type PlannedFault, type Step } from "./schedule";

const paths = ["^/ipsec-tunnels", "^/ipsec-shares", "^/ipsec-shares$", "^/ipsec-tunnels/.", "^/oauth", ""] as const;
const methods = ["GET", "GET", "POST", "POST", "PATCH", "PUT", "DELETE", undefined] as const;

const error = (status: number, code: string) => ({ status, body: { error: code, message: "made up" } });

/** What can go wrong in one place; the times are real, so they are short. */
function generateFault(random: Random): PlannedFault {
  const where = {
    method: random.pick(methods) ?? undefined,
    pathPattern: random.pick(paths),
    times: random.pick([1, 1, 2, 4]),
    skip: random.pick([0, 0, 1, 2, 5]),
  };
  const when = random.pick(["before", "after"] as const);
  const retryAfter = random.pick(["1", "0", "", "soon", "-5", "Wed, 21 Oct 2015 07:28:00 GMT"]);
  const kind = random.pick(["tunnel", "share"] as const);
  const op = random.pick(["create", "update", "delete"] as const);
  const answer = (status: number, code: string) =>
    ({ fault: "answer", ...where, when, ...error(status, code) }) as const;
  return random.pick<() => PlannedFault>([
    () => ({ fault: "drop", ...where, when }),
    () => ({ fault: "drop", ...where, when: "after" }),
    () => ({ fault: "late", ...where, delayMs: 100 + random.upTo(600) }),
    () => ({ fault: "late", ...where, delayMs: 100 + random.upTo(600), answer: { status: 503 } }),
    () => answer(500, "internal_error"),
    () => answer(503, "unavailable"),
    () => ({ ...answer(429, "too_many_requests"), when: "before", headers: { "retry-after": retryAfter } }),
    () => ({ ...answer(400, "invalid_request"), when: "before" }),
    () => ({ ...answer(401, "unauthorized"), when: "before" }),
    () => ({ ...answer(403, "not_found"), when: "before" }),
    () => ({ ...answer(409, "conflict"), when: "before" }),
    () => ({ fault: "html", ...where, when, status: random.pick([200, 404, 502]) }),
    () => ({ fault: "garbage", ...where, when: "after" }),
    () => ({ fault: "redirect", ...where, status: 307 }),
    () => ({ fault: "cut", ...where }),
    () => ({ fault: "endless", ...where }),
    () => ({ fault: "trickle", ...where, times: 1 }),
    () => ({ fault: "delay", ...where, times: 1, delayMs: random.pick([200, 3000]) }),
    () => ({ fault: "shape", ...where, shape: random.pick(["nulls", "wrong types", "no id", "list", "null body"]) }),
    () => ({ fault: "shape", ...where, shape: random.pick(["unknown status", "unknown fields", "empty", "text"]) }),
    () => ({ fault: "limit", perSecond: 5 }),
    () => ({ fault: "fail", kind, op, times: random.pick([1, 2]) }),
    () => ({ fault: "stick", kind, op, times: 1 }),
  ])();
}

export function generateFaults(random: Random): PlannedFault[] {
  const count = random.pick([0, 1, 1, 2, 3]);
  return Array.from({ length: count }, () => generateFault(random));
}

/** A process is killed in six of ten runs. */
export function generateKill(random: Random, isFirst: boolean, run: Step["run"]): Kill | undefined {
  if (!random.chance(0.6)) return undefined;
  const kind = random.pick(["tunnel", "share", "share"] as const);
  const later =
    kind === "tunnel" ? (["POST", "DELETE"] as const) : (["POST", "PATCH", "PATCH", "PUT", "DELETE"] as const);
  const method = isFirst ? "POST" : run === "destroy" ? "DELETE" : random.pick<Kill["method"]>(later);
  const nth = kind === "share" ? random.pick([0, 0, 1, 2]) : 0;
  return {
    who: random.pick(["engine", "provider", "both"] as const),
    when: random.pick(boundaries),
    method,
    kind,
    nth,
  };
}

/** Four of ten runs are cancelled, and four of ten of those by a second Ctrl-C within a second, too. */
export function generateCancel(random: Random, run: Step["run"]): Cancel | undefined {
  if (run === "preview" || !random.chance(0.4)) return undefined;
  const requests = random.pick([0, 1, 1, 2, 3, 5, 8, 13, 21]);
  // Until the first request an up takes about two seconds.
  const ms = random.upTo(requests === 0 ? 2500 : 400);
  return { requests, ms, ...(random.chance(0.4) && { againMs: 100 + random.upTo(850) }) };
}
