import type { Fleet, FleetStack } from "./fleet.ts";

/** The operations on the stacks of a fleet. `drift` only compares. */
export const operations = ["up", "preview", "refresh", "destroy", "drift"] as const;
export type Operation = (typeof operations)[number];

/** A request to a worker for one stack. It holds only references to secrets, because Temporal keeps it. */
export interface StackOperation {
  operation: Operation;
  stack: FleetStack;
  backend: string;
  passphrase: string;
  lostAfterSeconds: number;
  /** True if an earlier attempt of this run lost its worker. The provider then adopts identical resources. */
  isAfterLoss: boolean;
}

/** The numbers of changed resources, by operation of the engine. Unchanged resources do not count. */
export type Changes = Record<string, number>;

/**
 * The reason why an operation failed. `unreachable`: the service or the state's back end did not answer. `lost`: the worker is silent.
 * `stopped`: the worker was stopped. The fleet retries these three. `locked`: another user has locked the stack. `failed`: any other reason.
 */
export type Kind = "unreachable" | "lost" | "stopped" | "locked" | "failed";
export const isRetried = (kind: Kind): boolean => kind === "unreachable" || kind === "lost" || kind === "stopped";

export type State = "waiting" | "running" | "done" | "failed" | "skipped" | "cancelled";

/** One line of the report. */
export interface Entry {
  name: string;
  frontDoor: string;
  wave: string;
  /** Stacks of this run that must be done before. */
  needs: string[];
  state: State;
  attempts: number;
  changes?: Changes;
  kind?: Kind;
  /** One line without secrets. */
  reason?: string;
}

/** The report of a run, during the run and at its end. */
export interface Report {
  fleet: string;
  operation: Operation;
  /** The wave that waits for an approval. */
  awaiting?: string;
  stacks: Entry[];
}

/** The input of a run. */
export interface RunInput {
  fleet: Fleet;
  operation: Operation;
  /** The names of the stacks. */
  stacks: string[];
}

/** Returns the id of a fleet's runs. They share it, so only one of them runs at a time. */
export const runId = (fleet: string): string => `frontdoor-fleet/${fleet}`;

/** The activities of workers. */
export interface Activities {
  /** Returns the changes; undefined if the back end does not have the stack. */
  operateStack(asked: StackOperation): Promise<Changes | undefined>;
  /** Removes the lock that a lost worker left on its stack. */
  unlockStack(asked: StackOperation): Promise<void>;
}
