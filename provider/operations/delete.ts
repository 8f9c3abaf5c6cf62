import type { Named } from "../api/wire";
import { retryRefused } from "../converge/refusal";
import { failed, FrontdoorError, isConflict } from "../errors";
import { acceptDeleted } from "../view/acceptors";
import { notDeleted } from "../messages";
import { backoff, persist, type Until } from "../time";
import { find, type Subject } from "./find";

const mostTries = 5;

/** Deletes the resource and waits until it is gone. Succeeds if it is gone already. @throws FrontdoorError. */
export async function deleteOnce<Wire extends Named>(subject: Subject<Wire>, until: Until): Promise<void> {
  const { kind, id, label } = subject;
  const { clock, calls, view } = kind;
  const now = await persist(
    clock,
    until,
    // The report was wrong: it came from a stale replica or a gateway.
    ({ error, tries }) => (error || tries >= mostTries ? undefined : backoff(0, clock.random())),
    async () => {
      // A resource that is being deleted is busy too, and a second DELETE would be of no use.
      const remove = () => calls.remove(id, until).catch((error: unknown) => isGone(subject, error, until));
      const isReportedGone = await retryRefused(subject, remove, until);
      if (!isReportedGone) return "deleting";
      const seen = await find(subject, until);
      if (!seen) return "gone";
      return seen.status === "DELETING" ? "deleting" : undefined;
    },
  );
  if (now === "gone") return;
  // No delete has been accepted, so a wait could only end with a stale read.
  if (!now) throw failed(notDeleted(label, "the service answers that the resource does not exist, but still shows it"));
  const ended = await view.wait(id, acceptDeleted, until);
  // A list from before the end of the delete may be stale.
  calls.changeCount += 1;
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
