import { mayHaveRun } from "../../api/collection";
import type { WireShare } from "../../api/types";
import { isBare } from "../../api/wire";
import { asReason, isHidden, isRefused } from "../../errors";
import { pick } from "../../fields/field";
import { acceptUpdated } from "../../inventory/acceptors";
import { find } from "../../operations/find";
import { writeOnce } from "../../operations/write";
import type { Service } from "../../service";
import type { Until } from "../../time/clock";
import type { Outcome } from "../lifecycle";
import { reportStaleRecords } from "../stale-records";
import { changedFields, isChanged, rules, type ShareInputs, type ShareOutputs } from "./inputs";
import { deployedOutputs, shareSubject, unfinishedShare } from "./outputs";
import { isApplied, type Plan, planShareUpdate } from "./plan";
import { awaitPort } from "./port";

/** Updates a share in place and waits until it is DEPLOYED (spec: PUT and PATCH ipsec-shares). @throws FrontdoorError of a refusal. */
export async function updateShare(
  service: Service,
  id: string,
  olds: ShareOutputs,
  news: ShareInputs,
  until: Until,
): Promise<Outcome<ShareOutputs>> {
  const { kind, label } = shareSubject(service, id, olds);
  kind.records.remove(olds.name, id);
  // A moving share becomes owned only after its move, because its old tunnel waits for the move.
  kind.ledger.record("confirmed", id);
  reportStaleRecords(kind, service, label, { name: news.name, id });
  try {
    return await kind.ledger.during(
      id,
      () => bringToInputs(service, id, olds, news, until),
      ({ unfinished }) => unfinished,
    );
  } finally {
    kind.ledger.record("acquired", id);
  }
}

/** Plans the write, sends it once, and waits until it has taken effect. */
export async function bringToInputs(
  service: Service,
  id: string,
  olds: ShareOutputs,
  news: ShareInputs,
  until: Until,
): Promise<Outcome<ShareOutputs>> {
  const { kind, ...subject } = shareSubject(service, id, olds);
  // Any other update follows trouble, so the share may be gone.
  const isPlainChange = olds.status === "DEPLOYED" && isChanged(olds, news);
  const live = isPlainChange
    ? await shownBeforeChange(service, id, olds, news, until)
    : await find({ kind, ...subject }, until);
  if (!isPlainChange && (!live || isBare(live))) return gone(id, news, live?.status);
  const { write, evidence } = planShareUpdate(olds, live, news);
  if (write) {
    const failure = await send(service, id, olds, news, { write, evidence }, until);
    if (failure) return failure;
  }
  const waited = await kind.inventory.wait(id, acceptUpdated(evidence), until, write && "update");
  if (waited.now === "done") return { id, outputs: await deployedOutputs(kind, waited.value, news, until) };
  // DEPLOYED is the status from before the write, so the next run must wait again.
  const status = waited.last?.status ?? "NEW";
  return unfinishedShare(id, news, status === "DEPLOYED" ? "NEW" : status, waited);
}

/** Returns the share as the service shows it. A GET is needed only if a list shows the new values already, as the list may be stale. */
async function shownBeforeChange(
  service: Service,
  id: string,
  olds: ShareOutputs,
  news: ShareInputs,
  until: Until,
): Promise<WireShare | undefined> {
  const { inventory, calls } = service.frontDoor(news.frontdoorId).shares;
  const listed = await inventory.entry(id, until);
  if (!listed) return calls.get(id, until);
  const showsOldValues = !isApplied(listed, changedFields(olds, news), news);
  return showsOldValues || rules.clearedFields(olds, news).length > 0 ? listed : calls.get(id, until);
}

/** Sends a write. Returns undefined if the service has accepted it, else an unfinished share. @throws FrontdoorError of a refusal. */
async function send(
  service: Service,
  id: string,
  olds: ShareOutputs,
  news: ShareInputs,
  { write, evidence }: Required<Plan>,
  until: Until,
): Promise<Outcome<ShareOutputs> | undefined> {
  const subject = shareSubject(service, id, olds);
  const { calls } = subject.kind;
  const tunnelIds = [olds.ipsecTunnelId, news.ipsecTunnelId];
  for (;;) {
    try {
      await writeOnce(
        { ...subject, tunnelIds },
        () => calls.write(write.method, id, write.body, until),
        evidence,
        until,
      );
      return undefined;
    } catch (error) {
      if ((isRefused(error, 404, 410) || isHidden(error)) && !(await find(subject, until))) return gone(id, news);
      if (mayHaveRun(error)) {
        // The state keeps each field that the write was to clear, so that the next run clears it.
        const wanted = { ...news, ...pick(olds, rules.clearedFields(olds, news)) };
        return unfinishedShare(id, wanted, "NEW", { why: "failed", reason: asReason((error as Error).message) });
      }
      await awaitPort(service, news, id, error, until);
    }
  }
}

const gone = (id: string, news: ShareInputs, status = "DELETED"): Outcome<ShareOutputs> =>
  unfinishedShare(id, news, status, { why: "failed", reason: "the service no longer shows the share" });
