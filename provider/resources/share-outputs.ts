import { isBare, type WireShare } from "../api/wire";
import { FrontdoorError } from "../errors";
import { given, has, pick, valueOf } from "../fields/field";
import { changedFields, rules, type ShareInputs, type ShareOutputs } from "../fields/share";
import { sameSpelling } from "../fields/values";
import type { Outcome } from "../lifecycle/lifecycle";
import { deadline, shareGone, unfinishedResource } from "../messages";
import { isAnothers } from "../operations/create";
import { find, type Subject } from "../operations/find";
import type { Context, Kind, Service } from "../operations/service";
import type { Until } from "../time";
import { acceptSettled, consistencyMs, type Evidence } from "../waiting/acceptors";
import { lastPollMs, type Waited } from "../waiting/poller";
import { shareLabel } from "./names";

export const shareSubject = (
  service: Service,
  id: string,
  { name, status, frontdoorId, ipsecTunnelId }: ShareOutputs,
): Subject<WireShare> & { tunnelIds: string[] } => ({
  kind: service.frontDoor(frontdoorId).shares,
  ...{ id, label: shareLabel(name, id), status, tunnelIds: [ipsecTunnelId] },
});

/** Returns the outputs of a deployed share. If a list entry lacks a known field, one GET completes it, or the known value holds. */
export async function deployedOutputs(
  { calls }: Kind<WireShare>,
  seen: WireShare,
  inputs: ShareInputs,
  until: Until,
  known: Partial<WireShare> = inputs,
  update?: Update,
): Promise<ShareOutputs> {
  const whole = rules.isPartial(seen, known) ? await calls.get(seen.id, until).catch(() => undefined) : undefined;
  const __shown = spellingsOf(whole ?? seen, inputs, update);
  const unseen = rules.mayLack.filter((name) => !has(seen, name));
  const shown = whole ?? { ...seen, ...pick({ ...known, ...__shown }, unseen) };
  const { status } = update?.olds ?? seen;
  const sent = { ...inputs, status, __set: rules.setBy(inputs), __shown };
  return rules.outputsOf(shown, sent);
}

/** An update in which the share was written: the state before it, and the fields that it wrote. */
interface Update {
  olds: ShareOutputs;
  written: readonly string[];
}

/** Returns what the service shows for arguments in another spelling: for the written ones now, for the others as the state notes it. */
export function spellingsOf(
  seen: Partial<WireShare> | undefined,
  inputs: ShareInputs,
  update?: Update,
): Record<string, unknown> | undefined {
  const { __shown = {} } = update?.olds ?? {};
  const changed = update ? changedFields(update.olds, inputs) : [];
  const kept = Object.entries(__shown).filter(([name]) => !changed.includes(name));
  const spellings = { ...Object.fromEntries(kept), ...rules.shownFor(seen ?? {}, inputs, update?.written) };
  return Object.keys(spellings).length > 0 ? spellings : undefined;
}

/** Returns a share that is not ready. The state gets its id and the inputs, so the next run finds only the status different. */
export function unfinishedShare(
  id: string,
  inputs: ShareInputs,
  status: string,
  { why, reason }: { why: "failed" | "timed-out"; reason: string },
  /** What the state has besides the inputs. */
  more: Partial<ShareOutputs> = {},
): Outcome<ShareOutputs> {
  const { frontdoorId, name } = inputs;
  const outputs = {
    ...rules.outputsOf({ ...inputs, status }, { frontdoorId, __set: rules.setBy(inputs) }),
    ...given(more),
  };
  return {
    id,
    outputs,
    unfinished: new FrontdoorError(messageOf(shareLabel(name, id), status, why, reason), { kind: why }),
  };
}

function messageOf(label: string, status: string, why: "failed" | "timed-out", reason: string): string {
  switch (status) {
    case "ERROR":
      return unfinishedResource(label, reason, "send the share again", "share-error");
    case "DELETING":
    case "DELETED":
      return shareGone(label, reason);
    default:
      return why === "timed-out"
        ? deadline(label, reason)
        : unfinishedResource(label, reason, "continue from there", "share-incomplete");
  }
}

/** Returns the share as the service shows it, or undefined if the service has proved that it is gone. @throws FrontdoorError. */
export async function readShare(id: string, olds: ShareOutputs, context: Context): Promise<ShareOutputs | undefined> {
  const subject = shareSubject(context.service, id, olds);
  const { records, inventory } = subject.kind;
  if (await isAnothers(subject.kind, { ...olds, id }, rules.required, context)) return undefined;
  records.remove(olds.name, id);
  const listed = await inventory.entry(id, context);
  const showsAllFields = listed && listed.status !== "DELETED" && !rules.isPartial(listed, olds);
  const settled: Waited<WireShare, WireShare | undefined> =
    showsAllFields && isBelievable(listed, olds)
      ? { now: "done", value: listed }
      : await findSettled(context, id, olds);
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
  context: Context,
  id: string,
  olds: ShareOutputs,
): Promise<Waited<WireShare, WireShare | undefined>> {
  const { kind, ...subject } = shareSubject(context.service, id, olds);
  const found = await find({ kind, ...subject }, context);
  if (!found || isBare(found) || isBelievable(found, olds)) return { now: "done", value: found };
  // A deadline that is too short for the proof is extended. Otherwise an update with a short one could never continue.
  const deadlineMs = Math.max(context.deadlineMs, kind.clock.now() + consistencyMs + lastPollMs);
  const waited = await kind.inventory.wait(id, acceptSettled(lastWriteOf(olds)), { ...context, deadlineMs });
  if (waited.now === "unfinished" || waited.value) return waited;
  return { now: "done", value: await find({ kind, ...subject }, context) };
}

/** True if one read is enough. The state of an import has no status. */
function isBelievable(seen: WireShare, olds: ShareOutputs): boolean {
  const { isVisible, needsNewStatus } = lastWriteOf(olds);
  if (["DEPLOYED", ""].includes(olds.status)) return true;
  return isVisible(seen) && needsNewStatus?.statusBefore !== seen.status;
}

/** Returns the evidence that the last write of the state has taken effect. */
const lastWriteOf = (olds: ShareOutputs): Evidence<WireShare> => ({
  isVisible: sightsOf(olds, undefined, (rules.inputsOf(olds) ?? olds) as ShareInputs).showsAll(),
  ...(olds.__statusBefore !== undefined && {
    needsNewStatus: { statusBefore: olds.__statusBefore },
  }),
});

/** Returns the fields in which an entry differs from the inputs, both as shown and in the spelling of the state. */
export function differing(seen: Partial<WireShare>, state: ShareOutputs, inputs: ShareInputs): string[] {
  const others = changedFields(rules.asSent(seen, state), inputs);
  return changedFields(seen, inputs).filter((key) => others.includes(key));
}

export type Sights = ReturnType<typeof sightsOf>;

/**
 * Returns checks of what the service shows during an update. An entry can lack some fields. Example: the program sends `DB.corp:1`, the
 * service shows `db.corp:1`. `showsAll` accepts that at once if it is new; `respelled` accepts it if the service showed it before too,
 * once the write has begun.
 */
export function sightsOf(state: ShareOutputs, live: WireShare | undefined, inputs: ShareInputs) {
  const isAsBefore = (seen: WireShare, key: string) =>
    [live, state, state.__shown].some(
      (before) => before && has(before, key) && valueOf(before, key) === valueOf(seen, key),
    );
  const isSpelled = (seen: WireShare, key: string) => sameSpelling(valueOf(seen, key), valueOf(inputs, key));
  /** The fields that show neither the input, nor a new value that differs from the input in spelling only. */
  const notShown = (seen: WireShare, fields?: string[]) =>
    differing(seen, state, inputs).filter(
      (key) =>
        (fields === undefined || fields.includes(key)) &&
        !(rules.mayLack.includes(key) && !has(seen, key)) &&
        (isAsBefore(seen, key) || !isSpelled(seen, key)),
    );
  return {
    /** Returns a check that an entry shows the inputs of these fields, or of all. */
    showsAll: (fields?: string[]) => (seen: WireShare) => notShown(seen, fields).length === 0,
    /**
     * Returns a check that the written fields can show in another spelling. A value as before counts only after the write has begun, and
     * if the service also showed the value before in another spelling, or the new value differs from it in spelling only.
     */
    respelled: (fields: string[], statusBefore: string) => ({
      statusBefore,
      canShow: (seen: WireShare, hasBegun: boolean): boolean =>
        notShown(seen, fields).every(
          (key) => !isAsBefore(seen, key) || (hasBegun && (isSpelled(seen, key) || has(state.__shown ?? {}, key))),
        ),
    }),
  };
}
