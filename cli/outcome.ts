import { CommanderError } from "commander";
import { FrontdoorError, troubleOf } from "../provider/errors";

/** The command or its configuration is wrong: nothing was asked of the service. */
export class Misuse extends Error {}

/** What was asked for was done in part, or is not as it should be. */
export class CheckFailed extends Error {}

/** A check has found that the service can't be reached. */
export class Unreachable extends CheckFailed {}

/** 0 done, 1 the service refused or a check failed, 2 wrong usage, 3 the service could not be reached (contract: Command line). */
export function exitCodeOf(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  if (error instanceof Misuse) return 2;
  if (error instanceof Unreachable) return 3;
  const kind = troubleOf(error)?.kind;
  return kind === "unreachable" || kind === "timed-out" ? 3 : 1;
}

/** What to say of an error in one line; undefined where it has been said. A slip of ours is told with its stack. */
export function messageOf(error: unknown): string | undefined {
  if (error instanceof CommanderError) return undefined;
  if (error instanceof FrontdoorError || error instanceof Misuse || error instanceof CheckFailed) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
