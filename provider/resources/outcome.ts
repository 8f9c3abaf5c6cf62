import { FrontdoorError } from "../errors";
import type { Made } from "./lifecycle";

/** Why a resource is not ready though it exists. */
export type Unfinished = "failed" | "timed-out";

/** It exists and its id is kept; the message says what happened and what the next run does about it. */
export function unfinished<Outputs>(
  id: string,
  outputs: Outputs,
  why: Unfinished,
  what: string,
  repair?: string,
): Made<Outputs> {
  const onTimeout = "it goes on waiting and creates nothing anew (raise customTimeouts if the service needs longer)";
  const next = repair ?? (why === "timed-out" ? onTimeout : "it goes on from there and creates nothing anew");
  return {
    id,
    outputs,
    unfinished: new FrontdoorError(`${what}; it is kept in the state: run "pulumi up" again, ${next}`, { kind: why }),
  };
}
