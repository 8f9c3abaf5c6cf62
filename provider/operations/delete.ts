import type { Named } from "../api/wire";
import { FrontdoorError, isConflict } from "../errors";
import { acceptDeleted } from "../waiting/acceptors";
import { notDeleted } from "../messages";
import { isOver, pauseAfter, type Until } from "../time";
import { find, type Subject } from "./find";
import { retryWhileBusy } from "./refusals";

const mostTries = 5;

/** Deletes the resource and waits until it is gone. Succeeds if it is gone already. @throws FrontdoorError. */
export async function deleteOnce<Wire extends Named>(subject: Subject<Wire>, until: Until): Promise<void> {
  const { kind, id, label } = subject;
  const { clock, calls, inventory } = kind;
  for (let tries = 1; ; tries++) {
    const isReportedGone = await retryWhileBusy(subject, () => calls.remove(id, until), until).catch((error: unknown) =>
      isGone(subject, error, until),
    );
    if (!isReportedGone) break;
    const seen = await find(subject, until);
    if (!seen) return;
    if (seen.status === "DELETING" || tries >= mostTries || isOver(clock, until)) break;
    // The report was wrong: it came from a stale replica or a gateway.
    await clock.sleep(pauseAfter(0, clock.random()), until.signal);
  }
  const ended = await inventory.wait(id, acceptDeleted, until, "delete");
  // A list from before the end of the delete may be stale.
  calls.changes += 1;
  if (ended.now !== "done") throw new FrontdoorError(notDeleted(label, ended.reason), { kind: ended.why });
}

/** Returns true if the service has refused the delete because the resource is gone, false if it is being deleted. @throws any other error. */
async function isGone<Wire extends Named>({ kind, id }: Subject<Wire>, error: unknown, until: Until): Promise<boolean> {
  if (!isConflict(error)) throw error;
  const seen = await kind.calls.get(id, until);
  if (!seen || seen.status === "DELETED") return true;
  if (seen.status === "DELETING") return false;
  throw error;
}
