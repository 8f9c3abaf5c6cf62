import { troubleOf } from "../provider/errors";

// Errors are told apart by their fields: words and work of the command are bundled apart, each with classes of its own.

/** The command or its configuration is wrong: nothing was asked of the service. */
export class Misuse extends Error {
  readonly endsWith = 2;
}

/** What was asked for was done in part, or is not as it should be; what was found has been printed. */
export class CheckFailed extends Error {
  readonly endsWith: number = 1;
  readonly isPrinted = true;
}

/** A check has found that the service can't be reached. */
export class Unreachable extends CheckFailed {
  override readonly endsWith = 3;
}

/** What errors of this file and of commander have. */
type Fields = Partial<{ endsWith: number; isPrinted: boolean; exitCode: number }>;

/** 0 done, 1 the service refused or a check failed, 2 wrong usage, 3 the service could not be reached (contract: Command line). */
export function exitCodeOf(error: unknown): number {
  const { endsWith, exitCode } = error as Fields;
  if (exitCode !== undefined) return exitCode === 0 ? 0 : 2;
  if (endsWith !== undefined) return endsWith;
  const kind = troubleOf(error)?.kind;
  return kind === "unreachable" || kind === "timed-out" ? 3 : 1;
}

/** Whether standard output has what was found already. */
export const isPrinted = (error: unknown): boolean => (error as Fields).isPrinted === true;

/** What to say of an error in one line; undefined where commander has said it. A slip of ours is told with its stack. */
export function messageOf(error: unknown): string | undefined {
  const { endsWith, exitCode } = error as Fields;
  if (exitCode !== undefined) return undefined;
  if (endsWith !== undefined || troubleOf(error)) return (error as Error).message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
