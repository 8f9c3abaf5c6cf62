import { codeOf, troubleOf } from "../../provider/errors";

// The fields of an error say its kind, not its class: two bundles of the command have separate classes.

/** The command or its configuration is wrong. The service got no request. */
export class Misuse extends Error {
  readonly exitStatus = 2;
}

/** A check found a problem, or the command did only a part of its work. The findings are already on standard output. */
export class CheckFailed extends Error {
  readonly exitStatus: number = 1;
  readonly isPrinted = true;
}

/** A check found that the service can't be reached. */
export class Unreachable extends CheckFailed {
  override readonly exitStatus = 3;
}

/** A change does not fit the limits that were given for it. */
export class DoesNotFit extends CheckFailed {
  override readonly exitStatus = 4;
}

/** `status` found no problem, but could not read every connection. */
export class NotAllRead extends CheckFailed {
  override readonly exitStatus = 5;
}

/** Ctrl-C ended a command that would not end by itself. */
export class Interrupted extends Error {
  readonly exitCode = 130;
}

/** The fields of this file's errors and of commander's errors. */
type Fields = Partial<{ exitStatus: number; isPrinted: boolean; exitCode: number }>;

/**
 * Returns the exit code (contract: Command line): 0 done, 1 the service refused or a check failed, 2 wrong usage. 3 means that the service
 * could not be reached, 4 that a change does not fit, 5 that `status` could not read every connection.
 */
export function exitCodeOf(error: unknown): number {
  const { exitStatus, exitCode } = error as Fields;
  if (exitCode !== undefined) return [0, 130].includes(exitCode) ? exitCode : 2;
  if (exitStatus !== undefined) return exitStatus;
  const kind = troubleOf(error)?.kind;
  return kind === "unreachable" || kind === "timed-out" ? 3 : 1;
}

/** True if the findings are already on standard output. */
export const isPrinted = (error: unknown): boolean => (error as Fields).isPrinted === true;

const usageCode = " [wrong-usage]";

/** Returns commander's text with a code at its end. */
export const usageText = (text: string): string => `${text.trimEnd()}${usageCode}\n`;

/** Returns the message of an error: one line, or a stack if the error is a defect of the command. Undefined if there is nothing to say, or commander has said it. */
export function messageOf(error: unknown): string | undefined {
  const { exitStatus, exitCode } = error as Fields;
  if (exitCode !== undefined) return undefined;
  if (exitStatus !== undefined || troubleOf(error)) return (error as Error).message;
  return `${error instanceof Error ? (error.stack ?? error.message) : String(error)}\nThis is a defect of the command. Report it with these lines. [internal-error]`;
}

/** Returns the error of `--json`. */
export function documentOf(error: unknown): { message: string; code: string | undefined } {
  const { exitCode } = error as Fields;
  const { message } = error as Error;
  return { message, code: codeOf(exitCode === undefined ? (messageOf(error) ?? "") : usageCode) };
}
