import { FrontdoorError, seconds, safeText } from "../errors";
import type { Redactor } from "./redact";
import type { Received } from "./send";
import type { Authorization } from "./authorization";

/**
 * Returns the body of an answer with a 2xx status, without secrets: a text if a text was asked for, else JSON, undefined if the body is
 * empty. The spec shows no bodies of answers to writes, so a write counts as accepted if its answer is another text.
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
      throw unexpected(`${label}: ${status} with a web page: check frontdoor:baseUrl`, status, "content-type");
    return redactor.cleanAnswer(text);
  }
  // Without what some servers put before it, a byte order mark.
  const json = text.trim();
  if (json === "") return undefined;
  try {
    return redactor.cleanParsed(JSON.parse(json));
  } catch {
    if (!isRead && !isPage(received) && !says("json", received)) return undefined;
    throw unexpected(`${label}: ${status} with a body that is not JSON`, status, "$");
  }
}

/** What an answer with another status means, and what to do about it (spec: Errors). */
export function refusal(
  received: Received,
  label: string,
  redactor: Pick<Redactor, "clean">,
  authorization: Authorization,
  wallMs: number,
): FrontdoorError {
  const { status, text, headers } = received;
  if (status < 400)
    return unexpected(
      `${label}: the server redirects (${status}), which is never followed: check frontdoor:baseUrl`,
      status,
      "location",
    );
  if (status >= 500 || timedOut.includes(status))
    return new FrontdoorError(`${label}: ${status} from the server`, { kind: "unreachable", mayHaveRun: true, status });
  // Before a not-found is believed: it has to be this service's.
  if (isPage(received) && (status === 404 || status === 410))
    return unexpected(
      `${label}: ${status} with a page that is not this service's (a gateway or another server?): check frontdoor:baseUrl`,
      status,
      "error",
    );
  const { error } = objectOf(text);
  const code = typeof error === "string" ? redactor.clean(error) : undefined;
  const isNoPath = status === 404 && /\/ipsec-(tunnels|shares)$/.test(label);
  const where = isNoPath
    ? "; the service has no such path: check frontdoor:baseUrl, which ends with /frontdoor and names neither version nor front door"
    : "";
  const message = `${label}: ${status}${said(text, "message", redactor)}${where}${remedy(status, code, headers["date"], authorization, wallMs)}`;
  return new FrontdoorError(message, { kind: "refused", status, code });
}

/** What to do about a 401 or 403, in the spec's terms (spec: Authentication, Errors). */
function remedy(
  status: number,
  code: string | undefined,
  date: unknown,
  { access, remedy }: Authorization,
  wallMs: number,
): string {
  if (status === 403) {
    const found =
      code === "not_found" ? "this front door was not found for this token" : "this token does not grant access";
    return `; ${found}: check frontdoor:frontdoorId${access}`;
  }
  if (status !== 401) return "";
  const behindMs = typeof date === "string" ? Date.parse(date) - wallMs : 0;
  if (Math.abs(behindMs) < 60_000) return `; ${remedy}`;
  return `; this machine's clock is ${seconds(Math.abs(behindMs))} ${behindMs > 0 ? "behind" : "ahead"}: set it right`;
}

/** A server's words on why it refuses: its `error`, and what it calls the explanation. */
export function said(text: string, explanation: string, redactor: Pick<Redactor, "clean">): string {
  const body = objectOf(text);
  const words = [body["error"], body[explanation]].filter((word) => typeof word === "string").join(": ");
  return words === "" ? "" : ` ${safeText(redactor.clean(words))}`;
}

/** The JSON object in a text, empty where it is something else. */
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

/** Request timeout and a client that has closed: a gateway gave up waiting, the service may have done the work. */
const timedOut = [408, 499];

const isPage = (received: Received) => says("html", received) || received.text.trimStart().startsWith("<");

const says = (type: "html" | "json", { headers }: Received) =>
  String(headers["content-type"]).toLowerCase().includes(type);
