import { afterNoAnswer, FrontdoorError, longPause, safeText, seconds } from "../errors";
import type { Redactor } from "./redact";
import type { Received } from "./send";

/** What a user does about refused credentials. */
export interface Hints {
  /** The remedy for a 401. */
  remedy: string;
  /** The credentials that the user has to set if access is refused. */
  access: string;
}

/**
 * Returns the body of an answer with a 2xx status, without secrets: text if the call expects text, else JSON. An empty body is undefined.
 * The spec shows no bodies of answers to writes. So the answer to a write need not be JSON, and then the body is also undefined.
 *
 * @throws FrontdoorError `unexpected-response` for a web page, and for a body that claims to be JSON and is not: nobody knows whether
 * anything was done.
 */
export function bodyOf(
  received: Received,
  isText: boolean,
  isRead: boolean,
  label: string,
  redactor: Redactor,
): unknown {
  const { status, text } = received;
  if (isText) {
    if (says("html", received) || /^\s*<(!doctype\s+html|html)\b/i.test(text))
      throw unexpected(
        `${label}: another server answered with a web page (${status}). Check the address in frontdoor:baseUrl. [not-the-service]`,
        status,
        "content-type",
      );
    return redactor.cleanAnswer(text);
  }
  // Some servers put a byte order mark before JSON. `trim` removes it.
  const json = text.trim();
  if (json === "") return undefined;
  try {
    return redactor.cleanParsed(JSON.parse(json));
  } catch {
    if (!isRead && !isPage(received) && !says("json", received)) return undefined;
    throw unexpected(
      `${label}: the answer (${status}) is not JSON. Check the address in frontdoor:baseUrl. [unusable-answer]`,
      status,
      "$",
    );
  }
}

/** Returns the error for an answer with another status, with a remedy (spec: Errors). */
export function refusal(
  received: Received,
  label: string,
  redactor: Pick<Redactor, "clean">,
  hints: Hints,
  wallMs: number,
): FrontdoorError {
  const { status, text } = received;
  if (status < 400) {
    const what = `the server redirects the request (${status}), and the provider never follows a redirect. Check the address in frontdoor:baseUrl. [not-the-service]`;
    return unexpected(`${label}: ${what}`, status, "location");
  }
  const reason = reasonOf(text, "message", redactor);
  // After 408 and 499 a gateway has given up waiting, and the service may have done the work.
  if (status >= 500 || status === 408 || status === 499) {
    const message = `${label}: ${status}${reason || " from the server"}. ${afterNoAnswer(label)} [service-trouble]`;
    return new FrontdoorError(message, { kind: "unreachable", mayHaveRun: true, status });
  }
  // A not-found counts only if it is this service's.
  if (isPage(received) && (status === 404 || status === 410)) {
    const what = `another server answered with a web page (${status}). Check the address in frontdoor:baseUrl. [not-the-service]`;
    return unexpected(`${label}: ${what}`, status, "error");
  }
  const { error, message: explanation } = objectOf(text);
  const code = typeof error === "string" ? redactor.clean(error) : undefined;
  // An error of the service's own form comes from the right address.
  const isOwnForm = code !== undefined && typeof explanation === "string";
  const remedy =
    status === 404 && !isOwnForm && /\/ipsec-[a-z]+$/.test(label)
      ? ". The service has no such path. Check the address in frontdoor:baseUrl. [not-the-service]"
      : accessRemedy(received, code, hints, wallMs);
  const words = `${status}${reason}`;
  return new FrontdoorError(`${label}: ${words}${remedy}`, { kind: "refused", status, code, words });
}

/** Returns the error for a 429 or 503 that asks for a pause which outlasts the deadline. */
export function tooLongPause(
  { status, text }: Received,
  label: string,
  redactor: Pick<Redactor, "clean">,
  pauseMs: number,
): FrontdoorError {
  const words = `${status}${reasonOf(text, "message", redactor)}`;
  const action = status === 429 ? "Try again later." : afterNoAnswer(label);
  return new FrontdoorError(`${label}: ${longPause(pauseMs)} (${words}). ${action} [long-pause]`, {
    ...(status === 429
      ? { kind: "refused", status, code: undefined, words }
      : { kind: "unreachable", mayHaveRun: true, status }),
    pauseMs,
  });
}

/** Returns what to do about a refusal, with its code (spec: Authentication, Errors). */
function accessRemedy(
  { status, text, headers: { date } }: Received,
  code: string | undefined,
  { access, remedy }: Hints,
  wallMs: number,
): string {
  if (status === 403) {
    return code === "not_found"
      ? `. This front door was not found for this token. Check the id in frontdoor:frontdoorId. "frontdoor ids" lists the ids. [not-found-front-door]`
      : `. This token does not grant access. Set ${access}. [access-refused]`;
  }
  if (status === 429) return ". The service refuses more requests for now. Try again later. [too-many-requests]";
  if (status === 409 || status === 423) return ". The service refused this request. Try again later. [refused]";
  if (status !== 401) {
    if (reasonOf(text, "message", { clean: (words) => words }) === "")
      return ". The service refused this request without a reason. Check the arguments of the resource. [refused]";
    const ids = /\benv(z?id|ironment)/i.test(text) ? ' "frontdoor ids" lists the zId of each environment.' : "";
    return `. The service refused this request. Correct the argument that these words name.${ids} [refused]`;
  }
  const behindMs = (Date.parse(String(date)) || wallMs) - wallMs;
  if (Math.abs(behindMs) < 60_000) return `. ${remedy} [token-refused]`;
  return `. This machine's clock is ${seconds(Math.abs(behindMs))} ${behindMs > 0 ? "behind" : "ahead"}, so the service refuses the token. Set the clock. [clock-behind]`;
}

/** Returns a server's reason to refuse, without a full stop: its `error`, and its explanation under this name. */
export function reasonOf(text: string, explanation: string, redactor: Pick<Redactor, "clean">): string {
  const body = objectOf(text);
  const words = [body["error"], body[explanation]].filter((word) => typeof word === "string").join(": ");
  return words === "" ? "" : ` ${safeText(redactor.clean(words)).replace(/\.$/, "")}`;
}

/** Returns the JSON object in a text, or an empty object if there is none. */
export function objectOf(text: string): Record<string, unknown> {
  try {
    const value = JSON.parse(text.trim()) as unknown;
    return typeof value === "object" && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}

const unexpected = (message: string, status: number, path: string) =>
  new FrontdoorError(message, { kind: "unexpected-response", status, paths: [path] });

const isPage = (received: Received) => says("html", received) || received.text.trimStart().startsWith("<");

const says = (type: "html" | "json", { headers }: Received) =>
  String(headers["content-type"]).toLowerCase().includes(type);
