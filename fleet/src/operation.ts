import type { Fleet, FleetStack } from "./fleet";
import { firstPart, settleSeconds } from "./times";

// The data and the rules of a run, for commands, workflow and workers. The workflow imports this file, so it has no imports of Node's.

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
  /** The machines of the workers that earlier attempts of this run lost. A lock that was made there can be removed. */
  lostHosts: string[];
}

/** The numbers of changed resources, by operation of the engine. Unchanged resources do not count. */
export type Changes = Record<string, number>;

/**
 * The reason why an operation failed. `unreachable`: the service or the state's back end did not answer. `lost`: the worker is silent.
 * `stopped`: the worker was stopped. The fleet retries these three. `locked`: another user has locked the stack. `failed`: any other reason.
 */
export type Kind = "unreachable" | "lost" | "stopped" | "locked" | "failed";

export interface Failure {
  kind: Kind;
  reason: string;
  /** The machine of a lost worker, if it is known. */
  host?: string;
  /** True if the heartbeats of the worker ended `lostAfterSeconds` ago. */
  isSilent?: true;
}

/** The details of a heartbeat and of a killed engine: numbers, and the worker's machine. */
export interface Progress {
  done: number;
  underWay: number;
  host: string;
}

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
  /** Pauses are this many times as long: 0 in tests, whose server has a real clock. */
  pauseScale?: number;
}

/** Returns the id of a fleet's runs. They share it, so only one of them runs at a time. */
export const runId = (fleet: string): string => `frontdoor-fleet/${fleet}`;

/** The activities of workers. */
export interface Activities {
  /** Returns the changes; undefined if the back end does not have the stack. */
  operateStack(asked: StackOperation): Promise<Changes | undefined>;
}

const firstPauseSeconds = 10;
const longestPauseSeconds = 300;

/**
 * Returns the pause before the next attempt. After a loss it is the rest of the time in which the last create of the lost engine can take
 * effect. The engine of a silent worker ends after the first part of the silence.
 */
export function pauseSeconds(failure: Failure, attempt: number, asked: StackOperation): number {
  const { kind, isSilent } = failure;
  if (kind !== "lost") return Math.min(longestPauseSeconds, firstPauseSeconds * 2 ** (attempt - 1));
  return Math.max(0, settleSeconds(asked.stack) - (isSilent ? (1 - firstPart) * asked.lostAfterSeconds : 0));
}

/** Returns the entries of a run, wave by wave. A destroy has the reverse order: the last wave first, and dependents first. */
export function entriesOf({ fleet, operation, stacks }: RunInput): Entry[] {
  const isBackwards = operation === "destroy";
  const chosen = fleet.stacks.filter(({ name }) => stacks.includes(name));
  const needsOf = (name: string): string[] => {
    const dependents = chosen.filter((each) => each.dependsOn.includes(name)).map((each) => each.name);
    const needed = chosen.find((each) => each.name === name)?.dependsOn.filter((each) => stacks.includes(each)) ?? [];
    return isBackwards ? dependents : needed;
  };
  return wavesOf(fleet, isBackwards).flatMap(({ name: wave }) =>
    chosen
      .filter((each) => each.wave === wave)
      .map(({ name, frontDoor }) => ({ name, frontDoor, wave, needs: needsOf(name), state: "waiting", attempts: 0 })),
  );
}

export const wavesOf = ({ waves }: Fleet, isBackwards: boolean): Fleet["waves"] =>
  isBackwards ? waves.toReversed() : waves;

const isOver = ({ state }: Entry) => state !== "waiting" && state !== "running";

/** Marks the stacks that can no longer begin as skipped: those of a stopped wave, and those that need a failed stack. */
export function skipHopeless(entries: Entry[], waves: Fleet["waves"]): void {
  const failures = (wave: string) => entries.filter((each) => each.wave === wave && each.state === "failed").length;
  const stopped = waves.findIndex(({ name, stopAfter }) => failures(name) >= stopAfter);
  const skip = (entry: Entry, reason: string) => Object.assign(entry, { state: "skipped", reason });
  for (const entry of entries) {
    if (entry.state !== "waiting" || stopped === -1) continue;
    const wave = waves[stopped]?.name ?? "";
    if (waves.findIndex(({ name }) => name === entry.wave) >= stopped)
      skip(entry, `wave ${wave} was stopped: ${failures(wave)} failed`);
  }
  // Until nothing changes, because a stack that needs a skipped one is also skipped.
  for (let isChanged = true; isChanged;) {
    isChanged = false;
    for (const entry of entries.filter(({ state }) => state === "waiting")) {
      const missing = entry.needs.find((name) =>
        entries.some((each) => each.name === name && isOver(each) && each.state !== "done"),
      );
      if (missing !== undefined) {
        skip(entry, `needs ${missing}, which did not succeed`);
        isChanged = true;
      }
    }
  }
}

/** Returns the stacks of a wave that may begin now, within the limit of each front door. */
export function due(entries: Entry[], wave: string, perFrontDoor: number): Entry[] {
  const busy = new Map<string, number>();
  const isDone = (name: string) => entries.some((each) => each.name === name && each.state === "done");
  for (const { state, frontDoor } of entries)
    if (state === "running") busy.set(frontDoor, (busy.get(frontDoor) ?? 0) + 1);
  return entries.filter((entry) => {
    if (entry.wave !== wave || entry.state !== "waiting" || !entry.needs.every(isDone)) return false;
    const underWay = busy.get(entry.frontDoor) ?? 0;
    if (underWay >= perFrontDoor) return false;
    busy.set(entry.frontDoor, underWay + 1);
    return true;
  });
}
