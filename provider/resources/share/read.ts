import type { WireShare } from "../../api/types";
import { isBare } from "../../api/wire";
import { FrontdoorError } from "../../errors";
import { acceptSettled, consistencyMs, type Evidence } from "../../inventory/acceptors";
import { lastPollMs } from "../../inventory/poll";
import type { Waited } from "../../inventory/poller";
import { deadline } from "../../messages/messages";
import { isAnothers } from "../../operations/answered-id";
import { find } from "../../operations/find";
import type { Service } from "../../service";
import type { Until } from "../../time/clock";
import { rules, type ShareOutputs } from "./inputs";
import { shareLabel, shareSubject } from "./outputs";
import { showsSent } from "./plan";

/** Returns the share as the service shows it, or undefined if the service has proved that it is gone. @throws FrontdoorError. */
export async function readShare(
  service: Service,
  id: string,
  olds: ShareOutputs,
  until: Until,
): Promise<ShareOutputs | undefined> {
  const subject = shareSubject(service, id, olds);
  const { records, inventory } = subject.kind;
  if (await isAnothers(subject.kind, { ...olds, id }, rules.required, until)) return undefined;
  records.remove(olds.name, id);
  const listed = await inventory.entry(id, until);
  const showsAllFields = listed && listed.status !== "DELETED" && !rules.isPartial(listed, olds);
  const settled: Waited<WireShare, WireShare | undefined> =
    showsAllFields && isBelievable(listed, olds)
      ? { now: "done", value: listed }
      : await findSettled(service, id, olds, until);
  if (settled.now === "unfinished")
    throw new FrontdoorError(deadline(shareLabel(olds.name, id), settled.reason), { kind: settled.why });
  const wire = settled.value;
  // A share that is being deleted need not show its fields.
  return wire && (isBare(wire) ? { ...olds, status: wire.status } : rules.outputsOf(wire, olds));
}

/**
 * Returns the share as the service shows it. If the state says that its last write is unfinished, a stale read can show values from
 * before that write. So the read is believed only if it shows the written values, or the same other values for 30 s.
 */
export async function findSettled(
  service: Service,
  id: string,
  olds: ShareOutputs,
  until: Until,
): Promise<Waited<WireShare, WireShare | undefined>> {
  const { kind, ...subject } = shareSubject(service, id, olds);
  const found = await find({ kind, ...subject }, until);
  if (!found || isBare(found) || isBelievable(found, olds)) return { now: "done", value: found };
  // A deadline that is too short for the proof is extended. Otherwise an update with a short one could never continue.
  const deadlineMs = Math.max(until.deadlineMs, kind.clock.now() + consistencyMs + lastPollMs);
  const waited = await kind.inventory.wait(id, acceptSettled(lastWriteOf(olds)), { ...until, deadlineMs });
  if (waited.now === "unfinished" || waited.value) return waited;
  return { now: "done", value: await find({ kind, ...subject }, until) };
}

/** True if one read is enough. The state of an import has no status. */
function isBelievable(seen: WireShare, olds: ShareOutputs): boolean {
  const { isVisible, alsoNeeded } = lastWriteOf(olds);
  if (["DEPLOYED", ""].includes(olds.status)) return true;
  return isVisible(seen) && alsoNeeded?.statusBefore !== seen.status;
}

/** Returns the evidence that the last write of the state has taken effect. */
const lastWriteOf = (olds: ShareOutputs): Evidence<WireShare> => ({
  isVisible: showsSent(olds),
  ...(olds.__statusBefore !== undefined && {
    alsoNeeded: { statusBefore: olds.__statusBefore, isProvedByFields: () => false },
  }),
});
