import { type Config, placeOf } from "../config";
import { afterNoAnswer, FrontdoorError, longPause, safeText, seconds } from "../errors";
import type { Redactor } from "./redact";
import type { Received } from "./send";

/** What messages about an answer need besides it. */
export interface CallDetails {
  /** The name of the call. */
  label: string;
  redactor: Redactor;
  config: Pick<Config, "credentials" | "frontdoorId" | "places">;
  /** The time of this machine. */
  wallMs: number;
  /** True if the token has been accepted for a read. */
  canRead: boolean;
  /** The pause that the service asks for, if it outlasts the call's deadline. */
  pauseMs?: number;
}

const checkAddress = ({ config }: CallDetails) => `Check the URL in ${placeOf(config, "baseUrl")}.`;

export const isSuccess = ({ status }: Received): boolean => status >= 200 && status < 300;

/**
 * Returns the body of an answer with a 2xx status, without credentials: text if the call expects text, else JSON. An empty body is undefined.
 * The spec shows no bodies of answers to writes. So the answer to a write need not be JSON, and then the body is also undefined.
 *
 * @throws FrontdoorError `unexpected-response` for a web page, and for a body that claims to be JSON and is not: nobody knows whether
 * anything was done.
 */
export function bodyOf(received: Received, expected: "text" | "json" | "any", call: CallDetails): unknown {
  const { status, text } = received;
  const { label, redactor } = call;
  if (expected === "text") {
    if (says("html", received) || /^\s*<(!doctype\s+html|html)\b/i.test(text)) throw anotherServer(received, call);
    return redactor.cleanAnswer(text);
  }
  // Some servers put a byte order mark before JSON. `trim` removes it.
  const json = text.trim();
  if (json === "") return undefined;
  try {
    return redactor.cleanParsed(JSON.parse(json));
  } catch {
    if (expected === "any" && !isPage(received) && !says("json", received)) return undefined;
    throw unexpected(
      `${label}: the response (${status}) is not JSON. ${checkAddress(call)} [unusable-answer]`,
      status,
      "$",
    );
  }
}

/** Returns the error for an answer with another status, with a remedy (spec: Errors). */
export function errorOf(received: Received, call: CallDetails): FrontdoorError {
  const { status, text } = received;
  const { label, redactor, pauseMs } = call;
  if (status < 400) {
    const what = `the server redirects the request (${status}), and the provider never follows a redirect`;
    return unexpected(`${label}: ${what}. ${checkAddress(call)} [not-the-service]`, status, "location");
  }
  const words = `${status}${reasonOf(text, "message", redactor)}`;
  const pause = pauseMs === undefined ? undefined : `${longPause(pauseMs)} (${words})`;
  const ofPause = pauseMs === undefined ? {} : { pauseMs };
  // After 408 and 499 a gateway has given up waiting, and the service may have done the work.
  if (status >= 500 || status === 408 || status === 499) {
    const problem = pause ?? (words === `${status}` ? `${words} from the server` : words);
    const code = pause ? "[long-pause]" : "[service-trouble]";
    const message = `${label}: ${problem}. ${afterNoAnswer(label)} ${code}`;
    return new FrontdoorError(message, { kind: "unreachable", mayHaveRun: true, status, ...ofPause });
  }
  const { error, path } = saidIn(text);
  // Gateways and common server frameworks name the path in a 404: alone, it does not prove that a resource is gone.
  if (status === 404 && path !== undefined) {
    const message = `${label}: ${words}. The server has no such path. ${checkAddress(call)} [not-the-service]`;
    return new FrontdoorError(message, { kind: "unexpected-response", status, paths: ["$"], isNotFound: true });
  }
  if (isPage(received) && (status === 404 || status === 410)) return anotherServer(received, call);
  const code = error === undefined ? undefined : redactor.clean(error);
  const action = pause ? "Try again later. [long-pause]" : remedyFor(received, call);
  const message = `${label}: ${pause ?? words}. ${action}`;
  return new FrontdoorError(message, { kind: "refused", status, code, words, ...ofPause });
}

/** Returns what to do about a refusal, with its code (spec: Authentication, Errors). */
function remedyFor({ status, text, headers }: Received, call: CallDetails): string {
  const { label, config, wallMs, canRead } = call;
  const { credentials } = config;
  const { error, message, others } = saidIn(text);
  const words = [error, message, ...others];
  const isLimit = /\bquota|\blimit\b.*\b(reached|exceeded)|maximum number/is.test(words.join(" "));
  if (isLimit && status !== 401 && status !== 429)
    return "A limit of your account is reached. Delete what you no longer need, or ask NetFoundry for a higher limit. [limit-reached]";
  switch (status) {
    case 401: {
      const behindMs = (Date.parse(String(headers["date"])) || wallMs) - wallMs;
      if (Math.abs(behindMs) < 60_000) return `${tokenRemedy(config)} [token-refused]`;
      return `This machine's clock is ${seconds(Math.abs(behindMs))} ${behindMs > 0 ? "behind" : "ahead"}, so Frontdoor refuses the token. Set the clock. [clock-behind]`;
    }
    case 403: {
      if (error === "not_found")
        return `This front door was not found for this token. Check the id in ${frontDoorPlace(call)}. "npx pulumi-frontdoor ids" lists the ids. [not-found-front-door]`;
      const what = credentials.kind === "client" ? "client" : "token";
      const [problem, needed] = label.startsWith("GET ")
        ? ["This token does not grant access", "with access"]
        : [canRead ? "This token can read, but not write" : "This token does not grant this write", "that can write"];
      return `${problem}. Set a ${what} ${needed} in ${credentials.source}. [access-refused]`;
    }
    case 409:
    case 423:
      return "Frontdoor refused this request. Try again later. [refused]";
    case 429:
      return "Frontdoor refuses more requests for now. Try again later. [too-many-requests]";
  }
  // An error of the service's own form comes from the right address.
  const isOwnForm = error !== undefined && message !== undefined;
  if (status === 404 && !isOwnForm && /\/ipsec-[a-z]+$/.test(label))
    return `Frontdoor has no such path. ${checkAddress(call)} [not-the-service]`;
  if (!words.some((word) => word))
    return "Frontdoor refused this request without a reason. Check the arguments of the resource. [refused]";
  const ids = /\benv(z?id|ironment)/i.test(text)
    ? ' "npx pulumi-frontdoor ids" lists the zId of each environment.'
    : "";
  return `Frontdoor refused this request. Correct the argument that these words name.${ids} [refused]`;
}

/** Returns the place of the front door's id: a resource can name another one than the settings. */
function frontDoorPlace({ label, config }: CallDetails): string {
  const [, id] = /^\w+ \/v2\/([^/]+)/.exec(label) ?? [];
  return config.frontdoorId === undefined || id === encodeURIComponent(config.frontdoorId)
    ? placeOf(config, "frontdoorId")
    : "the argument `frontdoorId`";
}

function tokenRemedy(config: CallDetails["config"]): string {
  const { kind, source } = config.credentials;
  if (kind === "client")
    return `Frontdoor refuses a token that was just fetched with ${source}. Check ${placeOf(config, "audience")} and ${placeOf(config, "scope")}.`;
  const action =
    source === "frontdoor:token" ? 'Run "pulumi config set --secret frontdoor:token".' : "Set a new one there.";
  return `The token in ${source} is invalid or expired. ${action}`;
}

/** Returns a server's reason to refuse, without a full stop: its words, with its explanation under this name, and its trace id. */
export function reasonOf(text: string, explanation: string, redactor: Redactor): string {
  const { error, message, others, trace } = saidIn(text, explanation);
  const words = [error, message, ...others].filter((word) => word !== undefined).join(": ");
  const reason = words === "" ? "" : ` ${safeText(redactor.clean(words)).replace(/\.$/, "")}`;
  return trace === undefined ? reason : `${reason} (trace ${safeText(redactor.clean(trace), 64)})`;
}

/**
 * Returns what the body of an error says: `error` and `message` (spec: Errors), or as the vendor's gateway says it: these two within
 * `error`, or a list of `errors`; with the id of a trace, and for a path that it does not know with that path.
 */
function saidIn(text: string, explanation = "message") {
  const body = objectOf(text);
  const { error } = body;
  const inner = typeof error === "object" && error !== null ? (error as Record<string, unknown>) : undefined;
  const textOf = (value: unknown) => (typeof value === "string" ? value : undefined);
  const wordsOf = (value: unknown) =>
    typeof value === "object" && value !== null
      ? Object.values(value).flatMap((word) => textOf(word) ?? [])
      : textOf(value);
  const others: unknown[] = Array.isArray(body["errors"]) ? body["errors"] : [inner?.["cause"], body["detail"]];
  return {
    error: textOf(inner ? inner["code"] : error),
    message: textOf((inner ?? body)[explanation]),
    others: others.flatMap((word) => wordsOf(word) ?? []),
    trace: textOf(body["traceId"]) ?? textOf(inner?.["requestId"]),
    path: textOf(body["path"]),
  };
}

/** Returns the id of a trace in the body of an error; undefined if it has none. */
export const traceOf = (text: string): string | undefined => saidIn(text).trace;

/** Returns the JSON object in a text, or an empty object if there is none. */
export function objectOf(text: string): Record<string, unknown> {
  try {
    const value = JSON.parse(text.trim()) as unknown;
    return typeof value === "object" && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}

const anotherServer = ({ status }: Received, call: CallDetails) => {
  const message = `${call.label}: another server answered with a web page (${status}). ${checkAddress(call)} [not-the-service]`;
  return unexpected(message, status, "content-type");
};

const unexpected = (message: string, status: number, path: string) =>
  new FrontdoorError(message, { kind: "unexpected-response", status, paths: [path] });

const isPage = (received: Received) => says("html", received) || received.text.trimStart().startsWith("<");

const says = (type: "html" | "json", { headers }: Received) =>
  String(headers["content-type"]).toLowerCase().includes(type);
