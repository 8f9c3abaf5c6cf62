import type { Fleet, FleetStack } from "./fleet.ts";

/** What can be done to the stacks of a fleet; `drift` looks for differences and changes nothing. */
export const operations = ["up", "preview", "refresh", "destroy", "drift"] as const;
export type Operation = (typeof operations)[number];

/** What a worker is asked to do to one stack. Secrets are references alone: all of it is kept by Temporal. */
export interface StackOperation {
  operation: Operation;
  stack: FleetStack;
  backend: string;
  passphrase: string;
  lostAfterSeconds: number;
  /** Whether an earlier attempt of this run lost its worker: what that had begun is taken over. */
  isAfterLoss: boolean;
}

/** How many resources were, or would be, created, updated … ; those that stay are left out. */
export type Changes = Record<string, number>;

/**
 * Why an operation did not succeed. `unreachable`: the service or the state's back end did not answer; `lost`: nothing was heard of the worker
 * any more; `stopped`: the worker was told to stop. These are tried again. `locked`: somebody else's lock is on the stack; `failed`: all else.
 */
export type Kind = "unreachable" | "lost" | "stopped" | "locked" | "failed";
export const isRetried = (kind: Kind): boolean => kind === "unreachable" || kind === "lost" || kind === "stopped";

export type State = "waiting" | "running" | "done" | "failed" | "skipped" | "cancelled";

/** One line of the report. */
export interface Entry {
  name: string;
  frontDoor: string;
  wave: string;
  /** Stacks of this run that come first. */
  needs: string[];
  state: State;
  attempts: number;
  changes?: Changes;
  kind?: Kind;
  /** One line without secrets. */
  reason?: string;
}

/** What a run did so far, and in the end. */
export interface Report {
  fleet: string;
  operation: Operation;
  /** The wave that waits for an approval. */
  awaiting?: string;
  stacks: Entry[];
}

/** What a run is started with. */
export interface RunInput {
  fleet: Fleet;
  operation: Operation;
  /** The stacks it is about. */
  stacks: string[];
}

/** One run of a fleet at a time: they all have this id. */
export const runId = (fleet: string): string => `frontdoor-fleet/${fleet}`;

/** What workers do. */
export interface Activities {
  /** Undefined where the back end has no such stack, so that there is nothing to refresh or to destroy. */
  operateStack(asked: StackOperation): Promise<Changes | undefined>;
  /** Takes the lock of a worker that was lost off its stack. */
  unlockStack(asked: StackOperation): Promise<void>;
}
