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
  type Failure,
  isRetried,
  type Kind,
  pauseSeconds,
  type Progress,
  type Report,
  runId,
  type RunInput,
  skipHopeless,
  type StackOperation,
  wavesOf,
} from "./operation";

export const reportQuery = defineQuery<Report>("report");
export const approveSignal = defineSignal<[wave: string]>("approve");

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
async function operate({ fleet, operation, pauseScale = 1 }: RunInput, entry: Entry): Promise<Partial<Entry>> {
  const stack = fleet.stacks.find(({ name }) => name === entry.name);
  if (!stack) throw ApplicationFailure.nonRetryable(`there is no stack ${entry.name}`);
  const { attempts, lostAfterSeconds } = fleet.limits;
  const { operateStack } = proxyActivities<Activities>({
    taskQueue: fleet.queue,
    startToCloseTimeout: "24h",
    heartbeatTimeout: lostAfterSeconds * 1000,
    // This loop retries, because the server does not know how long a lost engine's create can take effect.
    retry: { maximumAttempts: 1 },
    activityId: `${stack.name}/${operation}`,
    cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
  });

  const { backend, passphrase } = fleet;
  const asked: StackOperation = {
    operation,
    stack,
    backend,
    passphrase,
    lostAfterSeconds,
    isAfterLoss: false,
    lostHosts: [],
  };
  for (;;) {
    entry.attempts += 1;
    try {
      const changes = await operateStack(asked);
      const reason = changes ? undefined : "its backend has no such stack";
      return { state: "done", changes: changes ?? {}, kind: undefined, reason };
    } catch (error) {
      const isCancelled = isCancellation(error) || CancellationScope.current().consideredCancelled;
      const failure = failureOf(error);
      const { kind, reason, host } = failure;
      if (kind === "lost") asked.isAfterLoss = true;
      if (host !== undefined) asked.lostHosts.push(host);
      if (!isRetried(kind) || entry.attempts >= attempts || isCancelled)
        return { kind, reason, state: isCancelled ? "cancelled" : "failed" };
      Object.assign(entry, { kind, reason });
      const seconds = pauseSeconds(failure, entry.attempts, asked) * pauseScale;
      if (seconds > 0 && !(await pauseFor(seconds))) return { kind, reason, state: "cancelled" };
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

/** Returns kind and reason of an error. It removes control sequences, because anyone can have written the message. */
function failureOf(error: unknown): Failure {
  const cause = error instanceof ActivityFailure ? error.cause : error;
  if (cause instanceof TimeoutFailure && cause.timeoutType === "HEARTBEAT")
    return { kind: "lost", reason: "its worker is silent", isSilent: true, ...hostIn(cause.lastHeartbeatDetails) };
  if (cause instanceof CancelledFailure) return { kind: "failed", reason: "cancelled" };
  const reason = reasonOf(cause instanceof Error ? cause.message : String(cause));
  if (!(cause instanceof ApplicationFailure)) return { kind: "failed", reason };
  return { kind: (cause.type ?? "failed") as Kind, reason, ...hostIn(cause.details?.[0]) };
}

/** Returns the machine in the details of a worker, unless the worker was lost before its first heartbeat. */
function hostIn(details: unknown): { host?: string } {
  const { host } = (details ?? {}) as Partial<Progress>;
  return typeof host === "string" ? { host } : {};
}
