import type { Held, Subject } from "./adapter";
import { partUrn } from "./program";

/** A resource as the state holds it. */
export interface Kept extends Subject, Held {
  /** Partly created: the engine calls update also where the diff finds nothing. */
  isPartial: boolean;
  /** Replaced, and still to be deleted. */
  delete?: boolean;
  /** Replaced delete first and retained: the state keeps the resource until the new one exists. */
  isPending?: boolean;
  /** The URN of a share's tunnel. */
  on?: string | undefined;
}

/** A state, and what a run does to it. */
export interface Run {
  state: Kept[];
  /** What was begun, such as `update web`; each part of a replacement is a `replace`. */
  steps: string[];
  /** Nothing new begins any more. */
  isCancelled: boolean;
}

/** A call failed; which resource it was about. */
export class Failed extends Error {
  constructor(
    readonly slot: string,
    cause: unknown,
  ) {
    super(`${slot}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
}

/** Those that the state holds, told apart as `flat` does. */
export const flatState = (state: Kept[]): Kept[] =>
  state.flatMap((one) =>
    one.kind === "sets"
      ? Object.entries(one.outputs["shares"] as Record<string, Kept["outputs"]>).map(([key, outputs]) => ({
          ...{ ...one, kind: "shares" as const, urn: partUrn(one.urn, key), outputs },
          id: String(outputs["id"]),
        }))
      : [one],
  );

/** What a set says of a share that it leaves for another failure's sake. */
const isConsequence = (error: unknown) => String(error).includes("something else has failed in this run");

/** Waits for all, then rejects with the first failure that is not another's consequence: what runs beside a failure is let end. */
export async function all(operations: Promise<unknown>[]): Promise<void> {
  const ended = await Promise.allSettled(operations);
  const failures = ended.flatMap((each) => (each.status === "rejected" ? [each.reason as Error] : []));
  const failed = failures.find((each) => !isConsequence(each)) ?? failures[0];
  if (failed) throw failed;
}
