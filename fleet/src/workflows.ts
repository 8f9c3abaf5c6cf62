import {
  ActivityCancellationType,
  ActivityFailure,
  ApplicationFailure,
  CancellationScope,
  CancelledFailure,
  condition,
  continueAsNew,
  defineQuery,
  defineSignal,
  executeChild,
  isCancellation,
  patched,
  proxyActivities,
  setHandler,
  sleep,
  TimeoutFailure,
  workflowInfo,
} from "@temporalio/workflow";
import { WorkflowExecutionAlreadyStartedError } from "@temporalio/common";
import { reasonOf } from "./events";
import type { FleetStack } from "./fleet";
import {
  type Activities,
  entriesOf,
  type Entry,
  type Failure,
  failures,
  isRetried,
  type Kind,
  pauseSeconds,
  type Progress,
  type Report,
  runId,
  type RunInput,
  skip,
  type StackOperation,
  stoppedText,
  unmetText,
  waveId,
  type WaveInput,
  wavesOf,
  withFewReasons,
} from "./operation";
import { WaveQueue } from "./wave-queue";

export const reportQuery = defineQuery<Report>("report");
export const entriesQuery = defineQuery<Entry[]>("entries");
export const approveSignal = defineSignal<[wave: string]>("approve");

/** Runs a fleet. It ends with a report, also after a cancellation. The id allows only one run of a fleet at a time. */
export async function run(input: RunInput): Promise<Report> {
  const { fleet, operation } = input;
  const isWriting = operation === "up" || operation === "destroy";
  // A read has nothing to protect. A run of an earlier release goes on as it began.
  const stopsAtNothing = !isWriting && patched("reads-stop-at-nothing");
  const entries = entriesOf(input);
  if (stopsAtNothing) for (const entry of entries) entry.needs = [];
  const byName = new Map(entries.map((each) => [each.name, each]));
  const report: Report = { fleet: fleet.name, operation, stacks: entries };
  const approved = new Set<string>();
  setHandler(reportQuery, () => ({ ...report, stacks: withFewReasons(entries) }));
  setHandler(approveSignal, (wave) => void approved.add(wave));

  const isWaiting = ({ state }: Entry) => state === "waiting";
  try {
    for (const wave of wavesOf(fleet, operation === "destroy")) {
      const { name, approve } = wave;
      const stopAfter = stopsAtNothing ? entries.length + 1 : wave.stopAfter;
      const own = entries.filter((each) => each.wave === name);
      for (const entry of own.filter(isWaiting)) {
        const missing = entry.needs.find((each) => !["waiting", "done"].includes(byName.get(each)?.state ?? "done"));
        if (missing !== undefined) skip(entry, unmetText(missing));
      }
      if (!own.some(isWaiting)) continue;
      if (approve && isWriting && !approved.has(name)) {
        report.awaiting = name;
        await condition(() => approved.has(name));
        delete report.awaiting;
      }
      const stacks = fleet.stacks.filter((each) => each.wave === name);
      const ofWave = { ...fleet, waves: [{ ...wave, stopAfter }], stacks };
      const request: WaveInput = { fleet: ofWave, operation, entries: own, pauseScale: input.pauseScale };
      // A run of an earlier release goes on in its one workflow.
      if (patched("waves")) await inOwnWorkflow(request, report);
      else await runWave(request);
      if (CancellationScope.current().consideredCancelled) throw new CancelledFailure("cancelled");
      const failed = failures(own);
      if (failed >= stopAfter) for (const each of entries.filter(isWaiting)) skip(each, stoppedText(name, failed));
    }
  } catch (error) {
    if (!isCancellation(error)) throw error;
    delete report.awaiting;
    for (const entry of entries.filter(isWaiting)) entry.state = "cancelled";
  }
  return { ...report, stacks: withFewReasons(entries) };
}

async function inOwnWorkflow(input: WaveInput, report: Report): Promise<void> {
  const name = input.fleet.waves[0]?.name ?? "";
  const workflowId = waveId(workflowInfo().workflowId, name);
  report.wave = name;
  // A workflow task has taken 10 s on a busy machine, which is Temporal's default limit.
  const { typedSearchAttributes } = workflowInfo();
  const options = { workflowId, workflowTaskTimeout: "30s", typedSearchAttributes } as const;
  const ended = await executeChild(wave, { args: [input], ...options });
  delete report.wave;
  for (const [at, entry] of input.entries.entries()) Object.assign(entry, ended[at]);
}

/**
 * Runs the stacks of one wave, and returns its entries. If Temporal finds the history long, the wave begins nothing more, and goes on with a
 * new history when no stack is running: a worker that takes a wave over reads its whole history in the time of one workflow task.
 */
export async function wave(input: WaveInput): Promise<Entry[]> {
  const { entries } = input;
  setHandler(entriesQuery, () => withFewReasons(entries));
  await runWave(input, () => workflowInfo().continueAsNewSuggested);
  const shown = withFewReasons(entries);
  if (shown.some(({ state }) => state === "waiting")) await continueAsNew<typeof wave>({ ...input, entries: shown });
  return shown;
}

/** Runs the stacks of one wave to their end, or only those under way if the history is full. After a cancellation none is waiting. */
async function runWave(input: WaveInput, isFull = () => false): Promise<void> {
  const { fleet, entries } = input;
  const [wave] = fleet.waves;
  if (!wave) throw ApplicationFailure.nonRetryable("there is no wave");
  const order = new WaveQueue(entries, wave, fleet.limits.perFrontDoor);
  const stacks = new Map(fleet.stacks.map((each) => [each.name, each]));
  const begin = () => {
    while (!isFull()) {
      const entry = order.next();
      if (!entry) return;
      void operate(input, entry, stacks.get(entry.name))
        .catch((error: unknown): Partial<Entry> => ({
          state: "failed",
          kind: "failed",
          reason: failureOf(error).reason,
        }))
        .then((ending) => {
          order.end(entry, ending);
          if (!CancellationScope.current().consideredCancelled) begin();
        });
    }
  };
  begin();
  try {
    await condition(() => order.running === 0);
  } catch (error) {
    if (!isCancellation(error)) throw error;
    for (const entry of entries) if (entry.state === "waiting") entry.state = "cancelled";
    await CancellationScope.nonCancellable(() => condition(() => order.running === 0));
  }
}

/** Starts a run for a schedule, unless another run of this fleet is under way. */
export async function scheduledRun(input: RunInput): Promise<Report | string> {
  try {
    const { typedSearchAttributes } = workflowInfo();
    return await executeChild(run, { args: [input], workflowId: runId(input.fleet.name), typedSearchAttributes });
  } catch (error) {
    if (error instanceof WorkflowExecutionAlreadyStartedError)
      return "left out: another run of this fleet was under way";
    throw error;
  }
}

/** Tries one stack until it succeeds, the attempts are used up, or another attempt can't help. */
async function operate(
  { fleet, operation, pauseScale = 1 }: WaveInput,
  entry: Entry,
  stack: FleetStack | undefined,
): Promise<Partial<Entry>> {
  if (!stack) throw ApplicationFailure.nonRetryable(`there is no stack ${entry.name}`);
  const { attempts, lostAfterSeconds } = fleet.limits;
  const { operateStack } = proxyActivities<Activities>({
    taskQueue: runId(fleet.name),
    startToCloseTimeout: "24h",
    heartbeatTimeout: lostAfterSeconds * 1000,
    // This loop retries, because the server does not know how long a lost engine's create can take effect.
    retry: { maximumAttempts: 1 },
    activityId: `${stack.name}/${operation}`,
    cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
  });

  const { backend, passphrase } = fleet;
  const request: StackOperation = {
    fleet: fleet.name,
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
      const changes = await operateStack(request);
      const reason = changes ? undefined : "its backend has no such stack";
      return { state: "done", changes: changes ?? {}, kind: undefined, reason };
    } catch (error) {
      const isCancelled = isCancellation(error) || CancellationScope.current().consideredCancelled;
      const failure = failureOf(error);
      const { kind, reason, host } = failure;
      if (kind === "lost") request.isAfterLoss = true;
      if (host !== undefined) request.lostHosts.push(host);
      if (!isRetried(kind) || entry.attempts >= attempts || isCancelled)
        return { kind, reason, state: isCancelled ? "cancelled" : "failed" };
      Object.assign(entry, { kind, reason });
      const seconds = pauseSeconds(failure, entry.attempts, request) * pauseScale;
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
