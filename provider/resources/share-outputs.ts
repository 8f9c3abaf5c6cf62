import { isBare, isPresent, type WireShare } from "../api/wire";
import { lagMs, lastPollMs } from "../consistency";
import { FrontdoorError } from "../errors";
import { given, has, pick } from "../fields/field";
import { rules, type ShareInputs, type ShareOutputs } from "../fields/share";
import type { Outcome } from "../lifecycle/lifecycle";
import { deadline, shareGone } from "../messages";
import { find, type Subject } from "../converge/converge";
import type { Context, Service } from "../run/service";
import { acceptSettled, type Evidence } from "../view/acceptors";
import type { Waited } from "../view/waits";
import { shareLabel } from "./names";
import { asShown, notReady, type Unready } from "./resource";

export const shareSubject = (
  service: Service,
  id: string,
  { name, status, frontdoorId, ipsecTunnelId }: ShareOutputs,
): Subject<WireShare> => ({
  kind: service.frontDoor(frontdoorId).shares,
  ...{ id, label: shareLabel(name, id), status, tunnelIds: [ipsecTunnelId] },
});

/**
 * Returns a share that is ready as the service shows it, or unfinished if one of these fields shows another value than was sent. Its state
 * then also notes what was sent, so that the next run compares again, without a write. If a list entry lacks a known field, one GET
 * completes it, or the known value holds.
 */
export async function deployedShare(
  context: Context,
  seen: WireShare,
  inputs: ShareInputs,
  { fields, known = inputs }: { fields?: readonly string[]; known?: Partial<WireShare> } = {},
): Promise<Outcome<ShareOutputs>> {
  const { id } = seen;
  const { calls } = context.service.frontDoor(inputs.frontdoorId).shares;
  const whole = rules.isPartial(seen, known) ? await calls.get(id, context).catch(() => undefined) : undefined;
  const unseen = rules.mayLack.filter((name) => !has(seen, name));
  const shown = { ...seen, ...pick(whole ?? known, unseen) };
  const outputs = rules.outputsOf(shown, { ...inputs, __set: rules.setBy(inputs) });
  const differing = rules.differing(outputs, known).filter((name) => fields?.includes(name) ?? true);
  return asShown(
    { label: shareLabel(inputs.name, id), canUpdate: true, secrets: context.secrets },
    { id, outputs },
    known,
    differing,
  );
}

/** Returns a share that is not ready. The state gets its id and the inputs, so the next run finds only the status different. */
export function unfinishedShare(
  id: string,
  inputs: ShareInputs,
  status: string,
  ended: Unready,
  /** What the state has besides the inputs. */
  more: Partial<ShareOutputs> = {},
): Outcome<ShareOutputs> {
  const { frontdoorId, name } = inputs;
  const label = shareLabel(name, id);
  const codes = { ended: "share-error", incomplete: "share-incomplete" };
  const error = isPresent({ status })
    ? notReady({ label, repair: "send the share again", codes }, status, ended)
    : new FrontdoorError(shareGone(label, ended.reason), { kind: ended.why });
  const outputs = rules.outputsOf({ ...inputs, status }, { frontdoorId, __set: rules.setBy(inputs) });
  return { id, outputs: { ...outputs, ...given(more) }, unfinished: error };
}

/** Returns the share as the service shows it, or undefined if the service has proved that it is gone. @throws FrontdoorError. */
export async function readShare(id: string, olds: ShareOutputs, context: Context): Promise<ShareOutputs | undefined> {
  const subject = shareSubject(context.service, id, olds);
  const listed = await subject.kind.view.entry(id, context);
  const showsAllFields = listed && listed.status !== "DELETED" && !rules.isPartial(listed, olds);
  // A list can lag behind reads by id, so one that differs from the state of a share that is ready proves nothing.
  const isOther = olds.status === "DEPLOYED" && !(listed?.status === olds.status && showing(olds)(listed));
  const settled: Settled =
    showsAllFields && !isOther && isBelievable(listed, olds)
      ? { now: "done", value: listed }
      : await findSettled(context, id, olds);
  if (settled.now === "unfinished")
    throw new FrontdoorError(deadline(shareLabel(olds.name, id), settled.reason), { kind: settled.why });
  const wire = settled.value;
  return wire && rules.outputsOf(wire, olds);
}

/**
 * Returns the share as the service shows it. If the state says that its last write is unfinished, a stale read can show values from
 * before that write. So the read is believed only if it shows the written values, or the same other values for 30 s.
 */
export async function findSettled(context: Context, id: string, olds: ShareOutputs): Promise<Settled> {
  const subject = shareSubject(context.service, id, olds);
  const found = await find(subject, context);
  if (!found || isBare(found) || isBelievable(found, olds)) return { now: "done", value: found };
  const waited = await awaitSettled(subject, lastWriteOf(olds), context);
  if (waited.now === "unfinished" || waited.value) return waited;
  return { now: "done", value: await find(subject, context) };
}

export type Settled = Waited<WireShare, WireShare | undefined>;

/** Waits until a read can be believed. A deadline that is too short is extended. Otherwise an update with a short one could never continue. */
export function awaitSettled(
  { kind, id }: Subject<WireShare>,
  evidence: Evidence<WireShare>,
  context: Context,
): Promise<Settled> {
  const deadlineMs = Math.max(context.deadlineMs, kind.clock.now() + lagMs + lastPollMs);
  return kind.view.wait(id, acceptSettled(evidence), { ...context, deadlineMs }, { isById: evidence.isById });
}

/** True if one read is enough. The state of an import has no status. */
function isBelievable(seen: WireShare, olds: ShareOutputs): boolean {
  const { isVisible, needsNewStatus } = lastWriteOf(olds);
  if (["DEPLOYED", ""].includes(olds.status)) return true;
  return isVisible(seen) && needsNewStatus?.statusBefore !== seen.status;
}

/** Returns a check that an entry shows what was sent: all of it, or these fields. A field that the entry lacks is no difference. */
export const showing =
  (sent: object, fields?: readonly string[]) =>
  (seen: WireShare): boolean =>
    !rules.differing(seen, sent).some((name) => fields?.includes(name) ?? true);

/** Returns the evidence that the last write of the state has taken effect. */
const lastWriteOf = (olds: ShareOutputs): Evidence<WireShare> => ({
  isVisible: showing(rules.inputsOf(olds) ?? olds),
  ...(olds.__statusBefore !== undefined && { needsNewStatus: { statusBefore: olds.__statusBefore } }),
});
