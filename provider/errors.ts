type Failure =
  /** The service answered and said no; `code` is its `error` string. */
  | { kind: "refused"; status: number; code: string | undefined }
  /** No usable answer; `mayHaveRun` is false only when nothing can have reached the service. */
  | { kind: "unreachable"; mayHaveRun: boolean; status?: number }
  /** An answer that is not this service's; `paths` name the offending places, never their values. */
  | { kind: "unexpected-response"; status: number; paths: string[] }
  /** It was done and ended badly, or could not be begun. */
  | { kind: "failed" }
  /** The deadline passed, or the wait was stopped. */
  | { kind: "timed-out" };

/** What can go wrong, told apart by `kind`; `beforeSending` is true if there was no token or no usable proxy, so that the call itself was never sent. */
export type Trouble = Failure & { beforeSending?: true };

/**
 * Every error of this package. The message is one line that says what was tried on what, what came back and what to do next;
 * it holds no body, header, token or key, and `stack` is empty since the dynamic host prints it to users.
 */
export class FrontdoorError extends Error {
  constructor(
    message: string,
    readonly trouble: Trouble,
  ) {
    super(safeText(message, 4_000));
    this.name = "FrontdoorError";
    this.stack = "";
  }
}

/** It was done and ended badly, or could not be begun. */
export const failed = (message: string) => new FrontdoorError(message, { kind: "failed" });

/** The trouble of one of our errors, also across copies of this package; undefined for anything else. */
export function troubleOf(error: unknown): Trouble | undefined {
  const trouble = (error as { trouble?: Trouble } | undefined)?.trouble;
  return typeof trouble?.kind === "string" ? trouble : undefined;
}

/** True for a refusal of the call itself with one of these HTTP status codes. */
export function isRefused(error: unknown, ...statuses: number[]): boolean {
  const trouble = troubleOf(error);
  return trouble?.kind === "refused" && !trouble.beforeSending && statuses.includes(trouble.status);
}

/** True when a later try can fare better: network trouble, 429, 5xx, a broken body. */
export function isTransient(error: unknown): boolean {
  const trouble = troubleOf(error);
  if (trouble?.kind === "refused") return trouble.status === 429;
  return trouble?.kind === "unreachable" || trouble?.kind === "unexpected-response";
}

/** The service refuses a write for the state that something is in now, by a status that the specification does not show. */
export const isConflict = (error: unknown): boolean => isRefused(error, 400, 409, 412, 422, 423, 425);

/** Server text made safe to show: one line, no control or direction codes, at most so many characters. */
export function safeText(text: string, longest = 300): string {
  const clean = text
    .slice(0, longest * 4)
    .replace(/\p{C}+/gu, " ")
    .replace(/\s+/g, " ")
    .trim();
  return clean.length > longest ? `${clean.slice(0, longest)}…` : clean;
}

/** Milliseconds as people read them: `3 s`, `0.5 s`. */
export const seconds = (ms: number): string => `${ms < 1000 ? Math.round(ms / 100) / 10 : Math.round(ms / 1000)} s`;
