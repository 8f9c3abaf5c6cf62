type Failure =
  /** The service answered and refused; `code` is its `error` string, and `words` are the status and all that it says. */
  | { kind: "refused"; status: number; code: string | undefined; words?: string }
  /**
   * No usable answer. `mayHaveRun` is false only if nothing can have reached the service. `isLocal` is true if nothing listens at an
   * address of this machine.
   */
  | { kind: "unreachable"; mayHaveRun: boolean; status?: number; isLocal?: true }
  /**
   * An answer that is not this service's. `paths` name the offending places, never their values. `isMisfit` is true if the answer is JSON
   * with other fields than the specification's. `isNotFound` is true for a 404 that names a path: gateways and the service can send it.
   */
  | { kind: "unexpected-response"; status: number; paths: string[]; isMisfit?: true; isNotFound?: true }
  /** The operation ended badly, or could not begin. */
  | { kind: "failed" }
  /** The deadline passed, or the wait was stopped. */
  | { kind: "timed-out" };

/**
 * The reason of an error, by `kind`. `beforeSending` is true if the call was never sent: there was no token or no usable proxy. `pauseMs`
 * is the rest of a pause that the service asks for, if it outlasts the call's deadline.
 */
export type Trouble = Failure & { beforeSending?: true; pauseMs?: number };

/** True if a message begins with the label of a request. */
export const isOfRequest = (message: string): boolean => /^(GET|POST|PUT|PATCH|DELETE) \//.test(message);

/** Returns the effect and the action of a request that got no usable answer. Its label begins with the method. */
export const afterNoAnswer = (label: string): string =>
  /^(?:POST|PUT|PATCH|DELETE) \//.test(label)
    ? "Frontdoor may still have done it. Run the command again: it checks before it sends another request."
    : "Try again later.";

/**
 * Every error of this package. The message is one line: the request, the answer and the next step. It holds no body, header,
 * token or key. `stack` is empty since the dynamic provider's process prints it to users.
 */
export class FrontdoorError extends Error {
  /** The code in square brackets at the end of the message, such as `port-in-use`. */
  readonly code: string | undefined;

  constructor(
    message: string,
    readonly trouble: Trouble,
  ) {
    super(shortened(message));
    this.name = "FrontdoorError";
    this.stack = "";
    this.code = codeOf(this.message);
  }

  /** Pulumi's process for dynamic providers prints this beside the error of a check, diff, read or delete, which says the rest. */
  override toString(): string {
    return `${this.message.split(": ", 1).join("")} [${this.code ?? this.name}]`;
  }
}

/** Returns the message as one line of limited length, which still ends with its code. */
function shortened(message: string): string {
  const text = safeText(message, 4_000);
  const code = codeOf(message);
  return code === undefined || code === codeOf(text) ? text : `${text.slice(0, 3_900)}… [${code}]`;
}

/** The code at the end of a message. */
const codeAtEnd = / \[([a-z]+(?:-[a-z]+)*)\]$/;

/** Returns the code at the end of a message; undefined if the message has none. */
export const codeOf = (message: string): string | undefined => codeAtEnd.exec(message)?.[1];

/** Returns a message as a part of another one: without its code and the full stop before it. */
export const withoutCode = (message: string): string =>
  codeOf(message) === undefined ? message : message.replace(codeAtEnd, "").replace(/\.$/, "");

/** Returns the text with this code, or as it is if it ends with a code. */
export const withCode = (text: string, code: string): string =>
  codeOf(text) === undefined ? `${text}${text.endsWith("?") ? "" : "."} [${code}]` : text;

/** The first sentence of a text. Names are in quotes, and words of the service often in brackets: a full stop there ends no sentence. */
const firstSentence = /^(?:"[^"]*"|`[^`]*`|\([^()]*\)|.)*?(?=\.(?: |$)|$)/s;

/** Returns the first sentence of a message, without its action, full stop and code. */
export const problemIn = (message: string): string =>
  codeOf(message) === undefined ? message : (firstSentence.exec(withoutCode(message))?.[0] ?? "");

/** Returns a message as the reason in another one, which has its own action: its first sentence and its code. */
export const asReason = (message: string): string => {
  const code = codeOf(message);
  return code === undefined ? message : `${problemIn(message)} [${code}]`;
};

/** The codes of refusals that come again in each run, until somebody corrects the settings. */
export const settingCodes: readonly string[] = [
  "token-refused",
  "client-refused",
  "access-refused",
  "not-found-front-door",
];

/** True if a resource of the state is absent at an address where it was never seen. */
export const isSeenElsewhere = (error: Error): error is FrontdoorError =>
  (error as Partial<FrontdoorError>).code === "seen-elsewhere";

/** Returns the problem of a pause that the service asks for and that outlasts the deadline. */
export const longPause = (pauseMs: number): string =>
  `Frontdoor accepts no requests for ${limit(pauseMs)}, which is beyond the deadline`;

/** Returns an error for an operation that ended badly, or could not begin. */
export const failed = (message: string) => new FrontdoorError(message, { kind: "failed" });

/** Returns the trouble of this package's errors, also of another copy of the package; undefined for any other error. */
export function troubleOf(error: unknown): Trouble | undefined {
  const trouble = (error as { trouble?: Trouble } | undefined)?.trouble;
  return typeof trouble?.kind === "string" ? trouble : undefined;
}

/** True if the service refused the call itself with one of these HTTP status codes. */
export function isRefused(error: unknown, ...statuses: number[]): boolean {
  const trouble = troubleOf(error);
  return trouble?.kind === "refused" && !trouble.beforeSending && statuses.includes(trouble.status);
}

/**
 * True if the answer can mean that there is no such resource, but does not prove it: a 403 `not_found` can also mean no access, and a 404
 * that names a path can be a gateway's. Only the front door's list tells.
 */
export function isHidden(error: unknown): boolean {
  const trouble = troubleOf(error);
  return isUnknownPath(error) || (trouble?.kind === "refused" && isRefused(error, 403) && trouble.code === "not_found");
}

/** True for a 404 that names a path. Nothing was done. */
export function isUnknownPath(error: unknown): boolean {
  const trouble = troubleOf(error);
  return trouble?.kind === "unexpected-response" && trouble.isNotFound === true;
}

/** True if a later try can succeed: network trouble, 429, 5xx, a broken body. */
export function isTransient(error: unknown): boolean {
  const trouble = troubleOf(error);
  if (trouble?.kind === "refused") return trouble.status === 429;
  return trouble?.kind === "unreachable" || trouble?.kind === "unexpected-response";
}

/** True unless the error proves that a write did not take effect. */
export const mayHaveRun = (error: unknown): boolean => {
  const trouble = troubleOf(error);
  if (trouble?.beforeSending || isUnknownPath(error)) return false;
  return trouble?.kind === "unexpected-response" || (trouble?.kind === "unreachable" && trouble.mayHaveRun);
};

/** True if nothing was reached, so that the request was not sent. */
export function isUnsent(error: unknown): boolean {
  const trouble = troubleOf(error);
  return trouble?.kind === "unreachable" && !trouble.mayHaveRun && !trouble.beforeSending;
}

/** True if the answer is JSON with other fields than the specification's. */
export function isMisfit(error: unknown): boolean {
  const trouble = troubleOf(error);
  return trouble?.kind === "unexpected-response" && trouble.isMisfit === true;
}

/** True if a try before the deadline can still succeed: transient trouble, but no misfit and no pause that outlasts the deadline. */
export const isPassing = (error: unknown): boolean =>
  isTransient(error) && !isMisfit(error) && troubleOf(error)?.pauseMs === undefined;

/** After so many equal answers, an answer that misfits will not get better. */
const mostEqualMisfits = 5;

/** Returns a function that gets the error of each try, and is true once the same misfit has come five times in a row. */
export function misfitCounter(): (error: unknown) => boolean {
  let last: string | undefined;
  let times = 0;
  return (error) => {
    const message = isMisfit(error) ? (error as Error).message : undefined;
    times = message === last ? times + 1 : 1;
    last = message;
    return message !== undefined && times >= mostEqualMisfits;
  };
}

/** True if the refusal can be about a resource's present state. The specification shows no status for that. */
export const isConflict = (error: unknown): boolean => isRefused(error, 400, 409, 412, 423, 425);

/** Returns the status and the words of the service; empty if the service refused nothing itself. */
export function serviceWords(error: unknown): string {
  const trouble = troubleOf(error);
  return trouble?.kind === "refused" ? (trouble.words ?? "") : "";
}

/** Returns server text for people: one line of at most `longest` characters, without control and direction codes. */
export function safeText(text: string, longest = 300): string {
  const clean = text
    .slice(0, longest * 4)
    .replace(/\p{C}+/gu, " ")
    .replace(/\s+/g, " ")
    .trim();
  return clean.length > longest ? `${clean.slice(0, longest)}…` : clean;
}

/** Returns a plain value for a message, in brackets. Other values are left out. */
export const bracketed = (value: unknown): string =>
  ["string", "number", "boolean"].includes(typeof value) ? ` (${safeText(JSON.stringify(value), 80)})` : "";

/** Returns a limit as people read it: `90 s`, `15 min`. */
export const limit = (ms: number): string => (ms < 120_000 ? seconds(ms) : `${Math.round(ms / 60_000)} min`);

/** Returns milliseconds as people read them: `3 s`, `0.5 s`. */
export const seconds = (ms: number): string => `${ms < 1000 ? Math.round(ms / 100) / 10 : Math.round(ms / 1000)} s`;
