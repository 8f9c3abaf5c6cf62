import type { FrontdoorError } from "../provider/functions/args";

/** True for an error of this package, also of another copy of it. `error.trouble.kind` is its kind. */
export const isFrontdoorError = (error: unknown): error is FrontdoorError =>
  error instanceof Error && error.name === "FrontdoorError";
