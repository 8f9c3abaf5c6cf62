import { isBare, isFailed, type WireShare } from "../api/wire";
import { lagMs } from "../consistency";
import { isHidden, isRefused } from "../errors";
import { given, has, pick, type Planned, UNKNOWN, valueOf } from "../fields/field";
import { changedFields, isChanged, rules, type ShareInputs, type ShareOutputs } from "../fields/share";
import { sameSpelling } from "../fields/values";
import type { Outcome } from "../lifecycle/lifecycle";
import { changedOutside } from "../messages";
import type { Context, FrontDoor } from "../run/service";
import { backoff, persist, type Until } from "../time";
import { find, writeOnce } from "../converge/converge";
import { acceptUpdated, acceptWritten, type Evidence } from "../view/acceptors";
import { shareLabel } from "./names";
import { failedBy } from "./resource";
import {
  awaitSettled,
  deployedShare,
  findSettled,
  type Settled,
  shareSubject,
  showing,
  unfinishedShare,
} from "./share-outputs";

/** Updates a share in place and waits until it is DEPLOYED (spec: PUT and PATCH ipsec-shares). @throws FrontdoorError of a refusal. */
export async function updateShare(
  id: string,
  olds: ShareOutputs,
  news: ShareInputs,
  context: Context,
): Promise<Outcome<ShareOutputs>> {
  const { kind } = shareSubject(context.service, id, olds);
  // A share that moves is owned only after its move, because its old tunnel waits for the move.
  kind.ledger.own(id);
  return kind.ledger.freeing(
    id,
    () => reconcile(context, id, olds, news),
    ({ unfinished }) => unfinished,
  );
}

/** Plans the write, sends it once, and waits until it has taken effect. */
export async function reconcile(
  context: Context,
  id: string,
  olds: ShareOutputs,
  news: ShareInputs,
): Promise<Outcome<ShareOutputs>> {
  const { kind } = shareSubject(context.service, id, olds);
  const shown = await shownBefore(context, id, olds, news);
  // Nothing is written, so the state keeps what the last write had.
  if (shown.now === "unfinished") return { ...unfinishedShare(id, news, "NEW", shown), outputs: olds };
  const live = shown.value;
  if (!isPlainChange(olds, news) && (!live || isBare(live))) return gone(id, news, live?.status);
  const { evidence, ...plan } = planShareUpdate(olds, live, news);
  const location = plan.write && given({ locationId: await followedLocation(context, moversOf(id, olds, live), news) });
  const write = plan.write && { ...plan.write, body: { ...plan.write.body, ...location } };
  const known = {
    ...given(olds, (name) => rules.mayLack.includes(name) && !rules.clearedFields(olds, news).includes(name)),
    ...given(news),
    ...location,
  };
  if (write) {
    reportOthers(context, { id, olds, live }, Object.keys(write.body), news);
    const failure = await sendWrite(context, { id, olds, news, known }, { write, evidence });
    if (failure) return failure;
  }
  const waited = await kind.view.wait(id, acceptUpdated(evidence), context, { isById: evidence.isById });
  const fields = [...Object.keys({ ...write?.body, ...olds.__sent }), ...changedFields(olds, news)];
  if (waited.now === "done")
    return deployedShare(context, waited.value, news, { known, ...(fields.length > 0 && { fields }) });
  // DEPLOYED is the status from before the write, so the next run must wait again.
  const status = waited.last?.status ?? "NEW";
  const more = { ...pick(known, rules.mayLack), __statusBefore: statusBefore(evidence, waited.last) };
  const isAgain = !write && olds.status === "NEW" && status === "NEW";
  return unfinishedShare(id, news, status === "DEPLOYED" ? "NEW" : status, { ...waited, isAgain }, more);
}

/**
 * True if a share that is ready is changed. Then one not-found proves nothing: the PATCH's own 404 leads to `find`. Any other update follows
 * trouble, so the share may be gone.
 */
const isPlainChange = (olds: ShareOutputs, news: ShareInputs): boolean =>
  olds.status === "DEPLOYED" && isChanged(olds, news);

/** Says which values somebody has changed outside Pulumi, if the write replaces them: the state of a share that is ready has the last ones. */
function reportOthers(
  { service, secrets }: Context,
  { id, olds, live }: { id: string; olds: ShareOutputs; live: WireShare | undefined },
  written: readonly string[],
  news: ShareInputs,
): void {
  if (olds.status !== "DEPLOYED" || olds.__sent || !live) return;
  const isOther = (name: string) => written.includes(name) && rules.differing(live, news).includes(name);
  const changed = rules.differing(live, olds).filter(isOther);
  if (changed.length > 0) service.say(changedOutside(shareLabel(news.name, id), changed, live, secrets));
}

/** Returns where the share may have been before the move: as read, and for an unfinished share also as in the state. */
function moversOf(id: string, { ipsecTunnelId, locationId, status }: ShareOutputs, live: WireShare | undefined) {
  const isRead = live !== undefined && (live.ipsecTunnelId !== ipsecTunnelId || live.locationId !== undefined);
  const state = { id, ipsecTunnelId, locationId };
  return [isRead ? live : state, ...(status === "DEPLOYED" ? [] : [state])];
}

/** Returns the status from before a write that `last`, the entry that was seen last, does not prove. */
function statusBefore(evidence: Evidence<WireShare>, last: WireShare | undefined): string | undefined {
  const history = { waitedMs: 0, statuses: new Set(last && [last.status]) };
  return acceptWritten(evidence)(last, history).now === "done" ? undefined : evidence.needsNewStatus?.statusBefore;
}

/**
 * Returns the share as the service shows it, or the end of a wait. Before a plain change, a list that shows the old values is enough. If it
 * shows the new ones, a GET decides. If the GET shows them too, they have to show for 30 s: a replica that lags can show what an earlier edit
 * has changed, and this revert brings back.
 */
async function shownBefore(context: Context, id: string, olds: ShareOutputs, news: ShareInputs): Promise<Settled> {
  const subject = shareSubject(context.service, id, olds);
  const { view, calls } = subject.kind;
  if (!isPlainChange(olds, news)) {
    // A changed program needs no settled read: the PATCH has every field in which program, state or service differ. Without a change, a
    // stale read could hide that the last write is unfinished.
    const isWaitedFor = olds.__statusBefore !== undefined || !isChanged(olds, news);
    return isWaitedFor ? findSettled(context, id, olds) : { now: "done", value: await find(subject, context) };
  }
  const listed = await view.entry(id, context);
  const changed = changedFields(olds, news);
  const showsOld = (seen: WireShare | undefined) =>
    !isApplied(seen, changed, news) || rules.clearedFields(olds, news).length > 0;
  // A list entry can lack a field that the share has.
  const omittable = rules.mayLack.filter((name) => changed.includes(name));
  const isEnough = listed && omittable.every((name) => has(listed, name)) && showsOld(listed);
  const value = isEnough ? listed : await calls.get(id, context);
  if (showsOld(value)) return { now: "done", value };
  // Ends when the old values show, or the new ones have shown for 30 s.
  return awaitSettled(subject, { isVisible: showsOld, isById: omittable.length > 0 }, context);
}

/** Sends a write. Returns undefined if the service has accepted it, else an unfinished share. @throws FrontdoorError of a refusal. */
async function sendWrite(
  context: Context,
  { id, olds, news, known }: { id: string; olds: ShareOutputs; news: ShareInputs; known: Partial<WireShare> },
  { write, evidence }: Required<Plan>,
): Promise<Outcome<ShareOutputs> | undefined> {
  const subject = shareSubject(context.service, id, olds);
  const { calls } = subject.kind;
  const tunnelIds = [...new Set([olds.ipsecTunnelId, news.ipsecTunnelId])];
  const failure = await writeOnce(
    { ...subject, label: shareLabel(news.name, id), tunnelIds, inputs: news },
    { send: (onSend) => calls.write(write.method, id, write.body, context, onSend), evidence },
    context,
  );
  if (!failure) return undefined;
  const { error, canHaveEffect } = failure;
  if ((isRefused(error, 404, 410) || isHidden(error)) && !(await find(subject, context))) return gone(id, news);
  if (!canHaveEffect) throw error;
  const more = { ...pick(known, rules.mayLack), __statusBefore: evidence.needsNewStatus?.statusBefore };
  // The write may not have taken effect: the next run clears what this one was to clear.
  const kept = { ...news, ...pick(olds, rules.clearedFields(olds, news)) };
  return unfinishedShare(id, kept, "NEW", failedBy(error), more);
}

const gone = (id: string, news: ShareInputs, status = "DELETED"): Outcome<ShareOutputs> =>
  unfinishedShare(id, news, status, { why: "failed", reason: "Frontdoor no longer shows the share" });

interface Write {
  method: "PUT" | "PATCH";
  body: object;
}

/** The write that brings a share to its inputs, if any, and the evidence that it has taken effect. */
export interface Plan {
  write?: Write;
  evidence: Evidence<WireShare>;
}

type Situation = "changed" | "cleared" | "already applied" | "interrupted" | "failed before";

/**
 * Plans the update of a share: the table "Updates of a share" of docs/how-it-works.md. `live` is the share in the service now, if a read
 * shows it. A preview can give inputs that are not known yet.
 */
export function planShareUpdate(state: ShareOutputs, live: WireShare | undefined, inputs: Planned<ShareInputs>): Plan {
  const current = live ?? state;
  const changed = changedFields(state, inputs);
  switch (situationOf(state, live, inputs)) {
    case "changed":
      return patch(changed, state.status, live, inputs);
    case "cleared": {
      // A list entry can lack a field that the state of a DEPLOYED share has.
      const beforeWrite = state.status === "DEPLOYED" ? state : current;
      const hasNewValue = (seen: WireShare) =>
        rules.clearedFields(state, inputs).some((key) => {
          const [now, before] = [valueOf(seen, key), valueOf(beforeWrite, key)];
          return now !== before && !sameSpelling(now, before);
        });
      const { evidence, ...plan } = put(beforeWrite.status, hasNewValue, inputs);
      return { ...plan, evidence: { ...evidence, isById: true } };
    }
    case "already applied":
      return { evidence: { isVisible: showing(inputs, changed.length > 0 ? changed : undefined) } };
    case "interrupted": {
      // Without proof of the last write, a field that the service does not show can still be missing there.
      const isUnproved = live !== undefined && state.__statusBefore !== undefined;
      const missing = rules.mayLack.filter((key) => isUnproved && has(inputs, key) && !has(live, key));
      const fields = [...new Set([...changed, ...rules.differing(current, inputs), ...missing])];
      if (fields.length === 0) return { evidence: { isVisible: showing(inputs) } };
      return patch(fields, current.status, live, inputs);
    }
    case "failed before":
      return put(current.status, () => false, inputs);
  }
}

/** Returns the write as far as state and program show it, with the fields that it changes or clears; undefined if there is nothing to write. */
export function plannedWrite(state: ShareOutputs, inputs: Planned<ShareInputs>) {
  const { write } = planShareUpdate(state, undefined, inputs);
  const cleared = rules.clearedFields(state, inputs);
  return write && { method: write.method, fields: write.method === "PUT" ? cleared : Object.keys(write.body) };
}

/** Compares the state, which holds the inputs of the last run, and `live`, which the service shows now, with the inputs. */
function situationOf(state: ShareOutputs, live: WireShare | undefined, inputs: Planned<ShareInputs>): Situation {
  if (rules.clearedFields(state, inputs).length > 0) return "cleared";
  const changed = changedFields(state, inputs);
  if (state.status === "DEPLOYED") return isApplied(live, changed, inputs) ? "already applied" : "changed";
  const others = rules.differing(live ?? state, inputs);
  return changed.length + others.length === 0 && isFailed(live ?? state) ? "failed before" : "interrupted";
}

/** True if the service shows the new values of the changed fields. */
function isApplied(live: WireShare | undefined, changed: string[], inputs: Planned<ShareInputs>): boolean {
  if (changed.length === 0) return true;
  return live !== undefined && !changedFields(live, inputs).some((key) => changed.includes(key));
}

function patch(fields: string[], statusBefore: string, live: WireShare | undefined, inputs: object): Required<Plan> {
  const isVisible = showing(inputs, fields);
  const showsAll = (seen: WireShare) => fields.every((key) => rules.isShown(seen, key));
  // If the values show before the write, or an entry lacks them, only another status proves the write.
  const isVisibleBefore = live !== undefined && showsAll(live) && isVisible(live);
  return {
    write: { method: "PATCH", body: pick(inputs, fields) },
    evidence: { isVisible, needsNewStatus: { statusBefore, ...(!isVisibleBefore && { unless: showsAll }) } },
  };
}

const put = (statusBefore: string, unless: (seen: WireShare) => boolean, inputs: Planned<ShareInputs>): Plan => ({
  write: { method: "PUT", body: rules.fullBody(inputs as ShareInputs) },
  evidence: { isVisible: showing(inputs), needsNewStatus: { statusBefore, unless } },
});

/** A share before it moves. */
interface Mover {
  id: string;
  ipsecTunnelId: string;
  locationId?: string | undefined;
}

/**
 * Returns the location that a share takes when it moves: that of its new tunnel, if the program gives none, and if state or service have
 * the share at the location of its old tunnel. Undefined if the share keeps its location. @throws FrontdoorError if a read fails.
 */
export async function followedLocation(
  context: Context,
  movers: readonly Mover[],
  news: ShareInputs,
): Promise<string | undefined> {
  if (has(news, "locationId")) return undefined;
  const frontDoor = context.service.frontDoor(news.frontdoorId);
  for (const share of movers)
    if (share.ipsecTunnelId !== news.ipsecTunnelId && (await isAtItsTunnel(frontDoor, share, context)))
      return locationOf(frontDoor, news.ipsecTunnelId, context);
  return undefined;
}

/** True if a preview can tell that the share will take another location with its move. */
export async function willFollow(context: Context, share: Mover, news: Planned<ShareInputs>): Promise<boolean> {
  const { frontdoorId, ipsecTunnelId } = news;
  if (has(news, "locationId") || frontdoorId === UNKNOWN) return false;
  const frontDoor = context.service.frontDoor(frontdoorId);
  // Pulumi creates the new tunnel first only if it has another location.
  const isCreateFirst = frontDoor.tunnels.ledger.orderOf(share.ipsecTunnelId) === "create first";
  if (ipsecTunnelId === UNKNOWN) return isCreateFirst && isAtItsTunnel(frontDoor, share, context);
  return (await followedLocation(context, [share], news as ShareInputs)) !== undefined;
}

/** Returns the outputs as far as a preview knows them. A share that moves can take another location. */
export function knownOutputs(inputs: Planned<ShareInputs>, olds?: ShareOutputs): Planned<ShareOutputs> {
  const outputs = rules.knownOutputs(inputs, olds);
  const isMoving = olds !== undefined && inputs.ipsecTunnelId !== olds.ipsecTunnelId;
  return isMoving && !has(inputs, "locationId") ? { ...outputs, locationId: UNKNOWN } : outputs;
}

/** True if a share has the location of its tunnel. Lists need not show the location of a share. */
async function isAtItsTunnel(frontDoor: FrontDoor, share: Mover, until: Until): Promise<boolean> {
  const location = share.locationId ?? (await frontDoor.shares.calls.get(share.id, until))?.locationId;
  return location !== undefined && location === (await locationOf(frontDoor, share.ipsecTunnelId, until));
}

/** Returns the location of a tunnel, which never changes. Reads may not show a new tunnel for 30 s. @throws FrontdoorError. */
const locationOf = ({ tunnels, once }: FrontDoor, id: string, until: Until): Promise<string | undefined> =>
  once.do(`location of ${id}`, async () => {
    const { calls, view, clock } = tunnels;
    const listed = await view.entry(id, until);
    if (listed?.locationId !== undefined) return listed.locationId;
    const tunnel = await persist(
      clock,
      { ...until, deadlineMs: Math.min(until.deadlineMs, clock.now() + lagMs) },
      ({ error, waitedMs }) => (error === undefined ? backoff(waitedMs, clock.random()) : undefined),
      () => calls.get(id, until),
    );
    return tunnel?.locationId;
  });
