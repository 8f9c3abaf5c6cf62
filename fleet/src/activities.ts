import { ApplicationFailure, CancelledFailure, Context } from "@temporalio/activity";
import { EngineError } from "./engine.ts";
import { Events } from "./events.ts";
import type { Lease } from "./lease.ts";
import type { Activities, Kind, StackOperation } from "./operation.ts";
import { reasonOf } from "./reason.ts";
import { Secrets } from "./secrets.ts";
import { StackRun, type WorkerPlace } from "./stack-run.ts";

const beatMs = 1000;

/** The activities of a worker. Their answers and failures hold counts, states and one redacted line, but no outputs, settings or secrets. */
export function activitiesOf(place: WorkerPlace, lease: Lease): Activities {
  async function inOrder<T>(asked: StackOperation, work: (run: StackRun, events: Events) => Promise<T>): Promise<T> {
    const context = Context.current();
    const secrets = new Secrets(place.root, place.env, place.allowed);
    const events = new Events();
    const ends = lease.ends(asked.lostAfterSeconds, context.cancellationSignal);
    const beat = setInterval(() => {
      context.heartbeat(events.progress());
    }, beatMs);
    try {
      return await work(new StackRun(asked, place, secrets, ends), events);
    } catch (error) {
      const { kind, reason } = failureOf(error, events, (text) => secrets.clean(text));
      if (error instanceof EngineError && error.isKilled) throw failure("lost", "its engine was killed");
      if (context.cancellationDetails?.workerShutdown) throw failure("stopped", "its worker stopped");
      if (context.cancellationSignal.aborted) throw new CancelledFailure("cancelled");
      if (ends.inOrder.aborted) throw failure("stopped", "its worker did not reach Temporal");
      throw failure(kind, reason);
    } finally {
      clearInterval(beat);
      ends.close();
    }
  }

  return {
    operateStack: (asked) => inOrder(asked, (run, events) => run.operate(events)),
    unlockStack: (asked) => inOrder(asked, (run) => run.unlock()),
  };
}

const failureOf = (error: unknown, events: Events, clean: (text: string) => string): { kind: Kind; reason: string } =>
  error instanceof EngineError
    ? events.failure(error.stderr, clean)
    : { kind: "failed", reason: reasonOf(error instanceof Error ? error.message : String(error), clean) };

/** Returns a failure with only the line, without a stack. */
function failure(kind: Kind, reason: string): ApplicationFailure {
  const made = ApplicationFailure.create({ type: kind, message: reason, nonRetryable: true });
  made.stack = "";
  return made;
}
