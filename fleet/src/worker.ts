import { hostname } from "node:os";
import { resolve } from "node:path";
import { PulumiCommand } from "@pulumi/pulumi/automation/index.js";
import { ApplicationFailure, CancelledFailure, Context } from "@temporalio/activity";
import { type NativeConnection, Worker } from "@temporalio/worker";
import { Allowed, Secrets } from "./allowed";
import { logToStandardError, modulePath, openTemporal, refusalOf } from "./temporal";
import { Events, reasonOf } from "./events";
import { Lease, Watchdog } from "./lease";
import { type Activities, type Changes, type Kind, type Progress, runId, type StackOperation } from "./operation";
import { EngineError, engineEnvironment, StackRun, type WorkerContext } from "./stack-run";

export interface WorkerOptions {
  /** The folder of the programs. */
  root: string;
  /** The fleet whose stacks this worker takes. */
  fleet: string;
  /** The number of stacks at a time. */
  maxStacks: number;
  allowSecret?: string[];
  allowBackend?: string[];
  allowUrl?: string[];
  /** More variables of the worker that engines get. */
  allowVariable?: string[];
}

/** Runs a worker until Ctrl-C or SIGTERM. It then ends its engines in order, and their stacks go to other workers. */
export async function runWorker({ maxStacks, ...options }: WorkerOptions): Promise<void> {
  logToStandardError("WARN");
  const { connection, namespace, dataConverter } = await openTemporal();
  const watchdog = new Watchdog();
  const lease = new Lease(connection, watchdog);
  try {
    await checkRight(connection, namespace, runId(options.fleet));
    const machine = { ...machineOf(options), pulumi: await PulumiCommand.get(), watchdog };
    const worker = await Worker.create({
      connection,
      namespace,
      dataConverter,
      taskQueue: runId(options.fleet),
      workflowsPath: modulePath("workflows"),
      activities: activitiesOf(machine, lease),
      maxConcurrentActivityTaskExecutions: maxStacks,
      // A cancellation comes with the answer to a heartbeat.
      maxHeartbeatThrottleInterval: "3s",
      shutdownGraceTime: 0,
    });
    void watchdog.ended.then(() => {
      if (worker.getState() === "RUNNING") worker.shutdown();
    });
    console.error(
      `frontdoor-fleet: worker of fleet ${options.fleet}, ${maxStacks} stacks at a time, programs in ${machine.root}`,
    );
    await worker.run();
  } finally {
    lease.close();
    watchdog.close();
    await connection.close();
  }
}

const checkMs = 1000;

/**
 * Looks at the namespace, and asks once for work that nobody gives, because the SDK's worker asks for ever, and in silence, if it may not.
 * @throws TemporalError
 */
async function checkRight(connection: NativeConnection, namespace: string, queue: string): Promise<void> {
  const { workflowService } = connection;
  const asked = { namespace, taskQueue: { name: `${queue}/check` }, identity: hostname() };
  const ask = () =>
    Promise.all([workflowService.describeNamespace({ namespace }), workflowService.pollActivityTaskQueue(asked)]);
  await connection.withDeadline(Date.now() + checkMs, ask).catch((error: unknown) => {
    const refusal = refusalOf(error);
    if (refusal) throw refusal;
  });
}

function machineOf({
  root,
  fleet,
  allowSecret,
  allowBackend,
  allowUrl,
  allowVariable,
}: Omit<WorkerOptions, "maxStacks">) {
  const folder = resolve(root);
  const allowed = new Allowed(folder, { secrets: allowSecret, backends: allowBackend, urls: allowUrl, fleet });
  return { root: folder, env: process.env, engineEnv: engineEnvironment(process.env, allowVariable), allowed };
}

const beatMs = 1000;

/** The activities of a worker. Their answers and failures hold counts, states, the name of the machine and one redacted line, but no outputs, settings or secrets. */
function activitiesOf(machine: WorkerContext, lease: Lease): Activities {
  async function operateStack(request: StackOperation): Promise<Changes | undefined> {
    const activity = Context.current();
    const secrets = new Secrets(machine.root, machine.env, machine.allowed);
    const events = new Events();
    const interruption = lease.interruption(request.lostAfterSeconds, activity.cancellationSignal);
    const progress = (): Progress => ({ ...events.progress(), host: hostname() });
    // The first one at once, so that the run knows where a lost engine's lock was made.
    activity.heartbeat(progress());
    const beat = setInterval(() => {
      activity.heartbeat(progress());
    }, beatMs);
    try {
      return await new StackRun(request, machine, secrets, interruption).operate(events);
    } catch (error) {
      const { kind, reason } = failureOf(error, events, (text) => secrets.clean(text));
      if (error instanceof EngineError && error.isKilled)
        throw failure("lost", "its Pulumi process was killed", progress());
      if (activity.cancellationDetails?.workerShutdown) throw failure("stopped", "its worker stopped");
      if (activity.cancellationSignal.aborted) throw new CancelledFailure("cancelled");
      if (interruption.signal.aborted) throw failure("stopped", "its worker did not reach Temporal");
      throw failure(kind, reason);
    } finally {
      clearInterval(beat);
      interruption.close();
    }
  }

  return { operateStack };
}

const failureOf = (error: unknown, events: Events, clean: (text: string) => string): { kind: Kind; reason: string } =>
  error instanceof EngineError
    ? events.failure(error.stderr, clean)
    : { kind: "failed", reason: reasonOf(error instanceof Error ? error.message : String(error), clean) };

/** Returns a failure with only the line, without a stack. */
function failure(kind: Kind, reason: string, ...details: Progress[]): ApplicationFailure {
  const made = ApplicationFailure.create({ type: kind, message: reason, nonRetryable: true, details });
  made.stack = "";
  return made;
}
