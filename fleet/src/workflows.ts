import {
  ActivityCancellationType,
  ActivityFailure,
  ApplicationFailure,
  CancellationScope,
  CancelledFailure,
  condition,
  defineQuery,
  defineSignal,
  executeChild,
  isCancellation,
  proxyActivities,
  setHandler,
  sleep,
  TimeoutFailure,
} from "@temporalio/workflow";
import { WorkflowExecutionAlreadyStartedError } from "@temporalio/common";
import { reasonOf } from "./events";
import {
  type Activities,
  due,
  entriesOf,
  type Entry,
  firstPart,
  isRetried,
  type Kind,
  type Report,
  runId,
  type RunInput,
  settleSeconds,
  skipHopeless,
  wavesOf,
} from "./operation";

export const reportQuery = defineQuery<Report>("report");
export const approveSignal = defineSignal<[wave: string]>("approve");

const longestPauseSeconds = 300;

/** Runs a fleet. It ends with a report, also after a cancellation. The id allows only one run of a fleet at a time. */
export async function run(input: RunInput): Promise<Report> {
  const { fleet, operation } = input;
  const entries = entriesOf(input);
  const report: Report = { fleet: fleet.name, operation, stacks: entries };
  const approved = new Set<string>();
  setHandler(reportQuery, () => report);
  setHandler(approveSignal, (wave) => void approved.add(wave));

  const waves = wavesOf(fleet, operation === "destroy");
  const isWriting = operation === "up" || operation === "destroy";
  const has = (wave: string, ...states: string[]) =>
    entries.some((each) => each.wave === wave && states.includes(each.state));

  const begin = (wave: string) => {
    skipHopeless(entries, waves);
    for (const entry of due(entries, wave, fleet.limits.perFrontDoor)) {
      entry.state = "running";
      void operate(input, entry)
        .catch((error: unknown): Partial<Entry> => ({ state: "failed", reason: failureOf(error).reason }))
        .then((ending) => {
          Object.assign(entry, ending);
          if (!CancellationScope.current().consideredCancelled) begin(wave);
        });
    }
  };

  try {
    for (const { name, approve } of waves) {
      skipHopeless(entries, waves);
      if (!has(name, "waiting")) continue;
      if (approve && isWriting && !approved.has(name)) {
        report.awaiting = name;
        await condition(() => approved.has(name));
        delete report.awaiting;
      }
      begin(name);
      await condition(() => !has(name, "waiting", "running"));
    }
  } catch (error) {
    if (!isCancellation(error)) throw error;
    delete report.awaiting;
    for (const entry of entries) if (entry.state === "waiting") entry.state = "cancelled";
    await CancellationScope.nonCancellable(() => condition(() => entries.every(({ state }) => state !== "running")));
  }
  return report;
}

/** Starts a run for a schedule, unless another run of this fleet is under way. */
export async function scheduledRun(input: RunInput): Promise<Report | string> {
  try {
    return await executeChild(run, { args: [input], workflowId: runId(input.fleet.name) });
  } catch (error) {
    if (error instanceof WorkflowExecutionAlreadyStartedError)
      return "left out: another run of this fleet was under way";
    throw error;
  }
}

/** Tries one stack until it succeeds, the attempts are used up, or another attempt can't help. */
async function operate({ fleet, operation }: RunInput, entry: Entry): Promise<Partial<Entry>> {
  const stack = fleet.stacks.find(({ name }) => name === entry.name);
  if (!stack) throw ApplicationFailure.nonRetryable(`there is no stack ${entry.name}`);
  const { attempts, lostAfterSeconds } = fleet.limits;
  const common = {
    taskQueue: fleet.queue,
    startToCloseTimeout: "24h",
    heartbeatTimeout: lostAfterSeconds * 1000,
    // This loop retries, because the server does not know about a lost worker's lock.
    retry: { maximumAttempts: 1 },
  } as const;
  const { operateStack } = proxyActivities<Activities>({
    ...common,
    activityId: `${stack.name}/${operation}`,
    cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
  });
  const { unlockStack } = proxyActivities<Activities>({ ...common, retry: { maximumAttempts: 3 } });

  const asked = { operation, stack, backend: fleet.backend, passphrase: fleet.passphrase, lostAfterSeconds };
  let isAfterLoss = false;
  let isLocked = false;
  /** The rest of the time in which the last create of a lost engine can take effect. A silent worker's engine ends after the first part. */
  const settling = ({ isSilent }: Loss) =>
    Math.max(0, settleSeconds(stack) - (isSilent ? (1 - firstPart) * lostAfterSeconds : 0));
  for (;;) {
    entry.attempts += 1;
    try {
      if (isLocked) await unlockStack({ ...asked, isAfterLoss });
      isLocked = false;
      const changes = await operateStack({ ...asked, isAfterLoss });
      const reason = changes ? undefined : "its back end has no such stack";
      return { state: "done", changes: changes ?? {}, kind: undefined, reason };
    } catch (error) {
      const isCancelled = isCancellation(error) || CancellationScope.current().consideredCancelled;
      const failure = failureOf(error);
      if (failure.kind === "lost") isAfterLoss = isLocked = true;
      if (isRetried(failure.kind) && entry.attempts < attempts && !isCancelled) {
        Object.assign(entry, failure);
        const pause = Math.min(longestPauseSeconds, 10 * 2 ** (entry.attempts - 1));
        const seconds = failure.kind === "unreachable" ? pause : failure.kind === "lost" ? settling(failure) : 0;
        if (seconds > 0 && !(await pauseFor(seconds))) {
          if (isLocked)
            await CancellationScope.nonCancellable(() => unlockStack({ ...asked, isAfterLoss })).catch(() => undefined);
          return { ...failure, state: "cancelled" };
        }
        continue;
      }
      // If this also fails, the next run finds the lock and names its owner.
      if (isLocked)
        await CancellationScope.nonCancellable(() => unlockStack({ ...asked, isAfterLoss })).catch(() => undefined);
      return { ...failure, state: isCancelled ? "cancelled" : "failed" };
    }
  }
}

/** Returns false if the run is cancelled during the pause. */
async function pauseFor(seconds: number): Promise<boolean> {
  try {
    await sleep(seconds * 1000);
    return true;
  } catch (error) {
    if (isCancellation(error)) return false;
    throw error;
  }
}

interface Loss {
  kind: Kind;
  reason: string;
  /** True if the heartbeats of the worker ended `lostAfterSeconds` ago. */
  isSilent?: true;
}

/** Returns kind and reason of an error. It removes control sequences, because anyone can have written the message. */
function failureOf(error: unknown): Loss {
  const cause = error instanceof ActivityFailure ? error.cause : error;
  if (cause instanceof TimeoutFailure && cause.timeoutType === "HEARTBEAT")
    return { kind: "lost", reason: "its worker is silent", isSilent: true };
  if (cause instanceof CancelledFailure) return { kind: "failed", reason: "cancelled" };
  const reason = reasonOf(cause instanceof Error ? cause.message : String(cause));
  return { kind: cause instanceof ApplicationFailure ? ((cause.type ?? "failed") as Kind) : "failed", reason };
}
