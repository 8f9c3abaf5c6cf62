import { settlesAfterMs } from "../../provider/consistency";
import type { Fleet, FleetStack } from "./fleet";
import { killFraction, timeoutKey } from "./times";

// The data and the rules of a run, for commands, workflow and workers. The workflow imports this file, so it has no imports of Node's.

/** The operations on the stacks of a fleet. `drift` only compares. */
export const operations = ["up", "preview", "refresh", "destroy", "drift"] as const;
export type Operation = (typeof operations)[number];

/** A request to a worker for one stack. It holds only references to secrets, because Temporal keeps it. */
export interface StackOperation {
  fleet: string;
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
 * The reason why an operation failed. `unreachable`: the service or the state's backend did not answer. `lost`: the worker is silent.
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
  /** The wave under way, whose own workflow has the present states of its stacks. */
  wave?: string;
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

/** The input of the workflow of one wave. */
export interface WaveInput extends Omit<RunInput, "stacks"> {
  /** With only this wave and its stacks. */
  fleet: Fleet;
  entries: Entry[];
}

export { runId } from "./times";

/** Returns the id of the workflow of a run's wave. */
export const waveId = (run: string, wave: string): string => `${run}/wave/${wave}`;

/** The activities of workers. */
export interface Activities {
  /** Returns the changes; undefined if the backend does not have the stack. */
  operateStack(request: StackOperation): Promise<Changes | undefined>;
}

const firstPauseSeconds = 10;
const longestPauseSeconds = 300;
/** The provider's own default of `requestTimeout`. */
const defaultTimeoutSeconds = 40;

/** Returns how long after its last request a lost engine can leave Frontdoor's lists out of date, by the provider's own rule. */
const settleSeconds = ({ config }: FleetStack): number =>
  Math.ceil(settlesAfterMs(Number(config[timeoutKey] ?? defaultTimeoutSeconds) * 1000) / 1000);

/**
 * Returns the pause before the next attempt. After a loss, a list must show what the lost engine sent last: a create that takes effect
 * later would be made twice. The watchdog ends the engine of a silent worker before the silence is over.
 */
export function pauseSeconds(failure: Failure, attempt: number, request: StackOperation): number {
  const { kind, isSilent } = failure;
  if (kind !== "lost") return Math.min(longestPauseSeconds, firstPauseSeconds * 2 ** (attempt - 1));
  const endedSeconds = isSilent ? (1 - killFraction) * request.lostAfterSeconds : 0;
  return Math.max(0, settleSeconds(request.stack) - endedSeconds);
}

/** Returns the entries of a run, wave by wave. A destroy has the reverse order: the last wave first, and dependents first. */
export function entriesOf({ fleet, operation, stacks }: RunInput): Entry[] {
  const isBackwards = operation === "destroy";
  const names = new Set(stacks);
  const chosen = fleet.stacks.filter(({ name }) => names.has(name));
  const needs = new Map(chosen.map(({ name }) => [name, [] as string[]]));
  for (const { name, dependsOn } of chosen)
    for (const needed of dependsOn)
      if (isBackwards) needs.get(needed)?.push(name);
      else if (names.has(needed)) needs.get(name)?.push(needed);
  const byWave = Map.groupBy(chosen, ({ wave }) => wave);
  return wavesOf(fleet, isBackwards).flatMap(({ name: wave }) =>
    (byWave.get(wave) ?? []).map(({ name, frontDoor }) => {
      return { name, frontDoor, wave, needs: needs.get(name) ?? [], state: "waiting", attempts: 0 };
    }),
  );
}

export const wavesOf = ({ waves }: Fleet, isBackwards: boolean): Fleet["waves"] =>
  isBackwards ? waves.toReversed() : waves;

export const skip = (entry: Entry, reason: string): void => {
  Object.assign(entry, { state: "skipped", reason });
};

export const stoppedText = (wave: string, failed: number): string => `wave ${wave} was stopped: ${failed} failed`;

export const unmetText = (needed: string): string => `needs ${needed}, which did not succeed`;

export const failures = (entries: Entry[]): number => entries.filter(({ state }) => state === "failed").length;

/** A reason has at most 500 characters, and Temporal takes at most 2 MB. */
const mostReasons = 1000;

/** Returns the entries with the reasons of only the first thousand that failed. */
export function withFewReasons(entries: Entry[]): Entry[] {
  let count = 0;
  return entries.map((entry) => {
    if (entry.kind === undefined || entry.reason === undefined || ++count <= mostReasons) return entry;
    return { ...entry, reason: undefined };
  });
}
