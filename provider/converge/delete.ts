import type { Named } from "../api/wire";
import { failed, FrontdoorError, isConflict } from "../errors";
import { notDeleted } from "../messages";
import type { Context } from "../run/service";
import { backoff, isOver, type Until } from "../time";
import { acceptDeleted } from "../view/acceptors";
import { converge, Writes } from "./converge";
import { find, type Subject } from "./find";

const mostTries = 5;

/** Deletes the resource and waits until it is gone. Succeeds if it is gone already. @throws FrontdoorError. */
export async function deleteOnce<Wire extends Named>(subject: Subject<Wire>, context: Context): Promise<void> {
  const { kind, id, label } = subject;
  const { clock, calls, view } = kind;
  /** How often the service has said that there is nothing to delete. A stale replica or a gateway can say so. */
  let reports = 0;
  const look = async () => {
    if (reports === 0) return "write";
    const seen = await find(subject, context);
    if (!seen || seen.status === "DELETING") return { isGone: !seen };
    // No delete has been accepted, so a wait could only end with a stale read.
    if (reports >= mostTries || isOver(clock, context))
      throw failed(notDeleted(label, "the service answers that the resource does not exist, but still shows it"));
    await clock.sleep(backoff(0, clock.random()), context.signal);
    return "write";
  };
  const send = async () => {
    // A resource that is being deleted is busy too, and a second DELETE would be of no use.
    const isReportedGone = await calls.remove(id, context).catch((error: unknown) => isGone(subject, error, context));
    if (!isReportedGone) return { isGone: false };
    reports += 1;
    return undefined;
  };
  const { isGone: isDone } = await converge({ ...subject, mostLost: 0, look, send }, new Writes(), context);
  if (isDone) return;
  const ended = await view.wait(id, acceptDeleted, context);
  // A list from before the end of the delete may be stale.
  calls.changeCount += 1;
  if (ended.now !== "done") throw new FrontdoorError(notDeleted(label, ended.reason), { kind: ended.why });
}
/** Returns true if the service has refused the delete because the resource is gone, false if it is being deleted. @throws any other error. */
async function isGone<Wire extends Named>({ kind, id }: Subject<Wire>, error: unknown, until: Until): Promise<boolean> {
  if (!isConflict(error)) throw error;
  const seen = await kind.calls.get(id, until).catch(() => {
    throw error;
  });
  if (!seen || seen.status === "DELETED") return true;
  if (seen.status === "DELETING") return false;
  throw error;
}
