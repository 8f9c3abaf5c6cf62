import { isFailed, isPresent, type WireShare } from "../api/wire";
import { Facts, find, type Subject, updateOnce } from "../converge/converge";
import { createOnce } from "../converge/create";
import { type Goal, judgeOf, lacking, lastWriteIn, neverWritten, settlesAtOf } from "../converge/progress";
import { refuseIfUsed } from "../converge/refusal";
import { asReason, failed, FrontdoorError, isHidden, isRefused } from "../errors";
import { defined, has, pick, type Planned, UNKNOWN } from "../fields/field";
import { changedFields, isChanged, rules, shareFields, type ShareInputs, type ShareOutputs } from "../fields/share";
import {
  checkedName,
  type Comparison,
  type Diff,
  type Lifecycle,
  type Notes,
  type Outcome,
} from "../lifecycle/lifecycle";
import { changedOutside, pendingDelete, replaceRequests, shareGone, statusPrefix } from "../messages";
import type { Ledger, Place } from "../run/run";
import type { Context, FrontDoor, Service } from "../run/service";
import { claimIdInState, deleteUnlessOwned, findExisting, keepName, withFreeName } from "./adopt";
import { shareLabel } from "./names";
import { asShown, failedBy, fromTable, notReady, type Unready } from "./resource";
import { knownOutputs, locationAfterMove, willFollow } from "./share-location";

/** Seconds (contract: Resources). */
export const shareTimeouts = { create: 900, update: 900, delete: 900 };

const type = {
  table: shareFields,
  what: "IpsecShare",
  words: "IPsec share",
  rules,
  timeouts: shareTimeouts,
  kind: ({ shares }: FrontDoor) => shares,
};

/** The resource, for its classes, schema and pages. */
export const share = {
  doc: "A private application on an IPsec tunnel. It maps an ingress port of the tunnel's load balancer to a target that a hosting agent reaches. A change is one PATCH. Clearing an optional argument is one PUT.",
  fields: shareFields,
  lifecycle: shareLifecycle,
};

/** Shares of one service (spec: Shares). */
export function shareLifecycle(service: Service): Lifecycle<ShareInputs, ShareOutputs> {
  return {
    ...fromTable<ShareInputs, ShareOutputs>(service, type),
    diff: (id, olds, news, context) => compareShare(context, id, olds, news),
    preview: previewShare,
    knownOutputs,
    create: createShare,
    read: readShare,
    update: updateShare,
    delete: deleteShare,
  };
}

/** A share that stays as it is, and that the program does not confirm. */
export const noChange: Comparison = {
  changes: false,
  isOfInputs: false,
  replaces: [],
  deleteBeforeReplace: true,
  isConfirmed: false,
};

/**
 * Compares a share with the program, and records what follows: the state has the id, and the share leaves or moves. Reads only if the
 * state says that the share is gone. @throws FrontdoorError.
 */
export async function compareShare(
  context: Context,
  id: string,
  olds: ShareOutputs,
  news: Planned<ShareInputs> & Notes,
): Promise<Comparison> {
  const frontDoor = context.service.frontDoor(olds.frontdoorId);
  const { calls, ledger, declarations } = frontDoor.shares;
  const declared = declarations.named(checkedName(news));
  const { name, ipsecTunnelId: tunnelId, ingressPort } = olds;
  const place = { name, checkedName: String(checkedName(news)), tunnelId, ingressPort };
  const isTunnelUnknown = news.ipsecTunnelId === UNKNOWN;
  const order = isTunnelUnknown ? replaceOrderOf(context.service, frontDoor, tunnelId) : undefined;
  if (isTunnelUnknown && !declared?.hasUnknownTunnel) return compareDependent(ledger, id, place, order === "stays");
  if (declared) claimIdInState(frontDoor.shares, id, declared.origin);
  const isOnFrontDoor = news.frontdoorId === olds.frontdoorId;
  const isMoved = news.ipsecTunnelId !== tunnelId || news.ingressPort !== ingressPort;
  const isMoving = isMoved && isOnFrontDoor && !isTunnelUnknown && declared !== undefined;
  if (isMoving) ledger.willFree(id, "moves", place);
  const replaces: string[] = isOnFrontDoor ? [] : ["frontdoorId"];
  // Only a tunnel that is deleted first takes its shares with it. If no order is known, the old tunnel is deleted after the share's move.
  if (order === "delete first") replaces.push("ipsecTunnelId");
  // If the state says that the share is gone, a read decides.
  if (!isPresent(olds) && !isPresent(await calls.get(id, context))) replaces.push("status");
  if (declared && replaces.length === 0 && news.name === name) keepName(frontDoor.shares, id, olds, declared.origin);
  const isDifferent = isChanged(olds, news);
  const isReady = olds.status === "DEPLOYED";
  const changes = isDifferent || replaces.length > 0 || rules.isNewlySet(olds, news) || !isReady;
  return {
    changes,
    isOfInputs: isDifferent && replaces.length === 0 && isReady && olds.__set !== undefined,
    replaces,
    deleteBeforeReplace: isOnFrontDoor,
    isConfirmed: !changes && declared !== undefined,
  };
}

/**
 * Compares a share whose tunnel Pulumi replaces delete first: Pulumi asks each dependent for a diff without a check, and deletes those that
 * have to be replaced before the tunnel. The share leaves, unless this run keeps or moves it.
 */
function compareDependent(ledger: Ledger, id: string, place: Place, isTunnelStaying: boolean): Comparison {
  if (isTunnelStaying || ["stays", "moves"].includes(ledger.fateOf(id))) return noChange;
  ledger.willFree(id, "goes", place, "delete first");
  return { ...noChange, changes: true, replaces: ["ipsecTunnelId"] };
}

/** Returns the order in which this run replaces a tunnel. If it replaces only others, the program has moved the share to one of those. */
function replaceOrderOf(service: Service, { tunnels: { ledger } }: FrontDoor, tunnelId: string) {
  const fate = ledger.fateOf(tunnelId);
  const isStaying = fate === "stays" || (fate === "unknown" && service.isReplacingTunnels());
  return isStaying ? "stays" : ledger.orderOf(tunnelId);
}

/** Returns the line that a preview shows beside a share: the requests, and if the service recreates the share. */
async function previewShare(
  id: string,
  olds: ShareOutputs,
  news: Planned<ShareInputs>,
  diff: Diff,
  context: Context,
): Promise<string | undefined> {
  if (diff.replaces.length > 0) return `${statusPrefix(diff, olds)}${replaceRequests(diff)}`;
  const write = planWrite(olds, news);
  if (!write || wasReplaced(context, olds, news.ipsecTunnelId)) return undefined;
  const without = write.method === "PUT" && write.fields.length > 0 ? "without " : "";
  // A read that fails leaves the line as it is.
  const isFollowing = write.method === "PATCH" && (await willFollow(context, id, olds, news).catch(() => false));
  const fields = isFollowing ? [...write.fields, "locationId"] : write.fields;
  const request = `${write.method} ${without}${fields.join(", ")}`.trim();
  return `${request}; Frontdoor recreates the share`;
}

/**
 * True if an earlier run may have deleted the share with its tunnel, and this run creates both again. Pulumi does not tell, but the state
 * then lacks the tunnel.
 */
export const wasReplaced = (
  { service }: Context,
  { frontdoorId, ipsecTunnelId: before }: { frontdoorId: string; ipsecTunnelId: string },
  now: unknown,
): boolean => {
  const { declarations, ledger } = service.frontDoor(frontdoorId).tunnels;
  const isNew = now === UNKNOWN || (now !== before && ledger.fateOf(String(now)) === "stays");
  return isNew && !declarations.hasIdInState(before);
};

/** Creates or adopts a share and waits until it is DEPLOYED (spec: POST ipsec-shares). @throws FrontdoorError if there is no share to save. */
export async function createShare(
  given: ShareInputs,
  isNameDerived: boolean,
  context: Context,
): Promise<Outcome<ShareOutputs>> {
  const kind = context.service.frontDoor(given.frontdoorId).shares;
  const existing = await findExisting({ kind, label: shareLabel(given.name), inputs: given, isNameDerived }, context);
  if (existing) return updateFound(context, existing.live, existing.inputs);
  const inputs = withFreeName(kind, given, isNameDerived);
  const share = { kind, label: shareLabel(inputs.name), inputs, isNameDerived };
  await awaitPending(context, inputs);
  const body = rules.fullBody(inputs);
  const isIdentical = (entry: WireShare) =>
    rules.differingArguments(entry, inputs).length === 0 && !rules.isPartial(entry, inputs);
  const created = await createOnce({ ...share, body, isIdentical, tunnelIds: [inputs.ipsecTunnelId] }, context);
  const { id, found, write } = created;
  const more = () => ({ __settlesAt: settlesAtOf(kind.clock, write) });
  if (found && !(isIdentical(found) && ["NEW", "DEPLOYED"].includes(found.status))) {
    // The id must reach the state, whatever fails from here on.
    return updateFound(context, found, inputs, write).catch((error: unknown) =>
      unfinishedShare(id, inputs, "NEW", failedBy(error), more()),
    );
  }
  const waited =
    created.waited ?? (await kind.view.wait(id, judgeOf<WireShare>(kind.clock, { want: body }, write), context));
  if (waited.now === "done") return deployedShare(context, waited.value, inputs, { more: more() });
  return unfinishedShare(id, inputs, waited.last?.status ?? "NEW", waited, more());
}

/** Brings a share that was found in the service to its inputs. */
function updateFound(context: Context, live: WireShare, inputs: ShareInputs, write = neverWritten) {
  // Another spelling of an argument is as declared.
  const known = { ...inputs, __settlesAt: settlesAtOf(context.service.clock, write) };
  return reconcile(context, live.id, rules.outputsOf(live, known), inputs);
}

/** Waits for the shares that leave the name or the port of a new one in this run. @throws FrontdoorError `failed` if one stays. */
async function awaitPending(context: Context, inputs: ShareInputs): Promise<void> {
  const { name, frontdoorId, ipsecTunnelId: tunnelId, ingressPort } = inputs;
  const { ledger } = context.service.frontDoor(frontdoorId).shares;
  for (const id of ledger.pendingAt({ name, tunnelId, ingressPort })) {
    const error = await ledger.awaitFreed(id, context);
    if (error) throw failed(pendingDelete(shareLabel(inputs.name), id, asReason(error.message)));
  }
}

/** Returns the share as the service shows it, or undefined if the service has proved that it is gone. @throws FrontdoorError. */
export async function readShare(id: string, olds: ShareOutputs, context: Context): Promise<ShareOutputs | undefined> {
  const subject = shareSubject(context.service, id, olds);
  const isReady = olds.status === "DEPLOYED";
  // A list can lag behind reads by id, so one that differs from the state proves nothing.
  const listed = isReady ? await subject.kind.view.entry(id, context) : undefined;
  const isAsBefore =
    listed?.status === "DEPLOYED" &&
    !rules.isPartial(listed, olds) &&
    rules.differingArguments(listed, olds).length === 0;
  // Of an unfinished share nobody knows what was sent.
  const sent = isReady ? rules.fullBody(olds) : undefined;
  const wire = isAsBefore ? listed : await find(subject, context, sent);
  return wire && rules.outputsOf(wire, olds);
}

/** Updates a share in place and waits until it is DEPLOYED (spec: PUT and PATCH ipsec-shares). @throws FrontdoorError of a refusal. */
export async function updateShare(
  id: string,
  olds: ShareOutputs,
  news: ShareInputs,
  context: Context,
): Promise<Outcome<ShareOutputs>> {
  const { ledger } = context.service.frontDoor(olds.frontdoorId).shares;
  // A share that moves is owned only after its move, because its old tunnel waits for the move.
  ledger.own(id);
  return ledger.freeing(
    id,
    () => reconcile(context, id, olds, news),
    ({ unfinished }) => unfinished,
  );
}

/** A PUT or PATCH of a share: its goal, of which `want` is the body. */
interface Write extends Goal {
  method: "PUT" | "PATCH";
  want: object;
  /** The arguments that it changes, or clears. */
  fields: readonly string[];
}

/**
 * Plans the write from what state and program say, without a reading: the table "An update, step by step" of docs/how-it-works.md. Undefined: no
 * argument has changed. A preview can give inputs that are not known yet.
 */
export function planWrite(state: ShareOutputs, inputs: Planned<ShareInputs>): Write | undefined {
  const cleared = rules.clearedFields(state, inputs);
  const changed = changedFields(state, inputs);
  const before = pick(state, [...changed, ...cleared]);
  if (cleared.length > 0 || isFailed(state))
    return { method: "PUT", want: rules.fullBody(inputs as ShareInputs), before, fields: cleared };
  return changed.length > 0 ? { method: "PATCH", want: pick(inputs, changed), before, fields: changed } : undefined;
}

/** Reads a share, sends the write that it needs, if any, and waits until it has taken effect. */
async function reconcile(
  asked: Context,
  id: string,
  olds: ShareOutputs,
  news: ShareInputs,
): Promise<Outcome<ShareOutputs>> {
  const { clock } = asked.service;
  const subject = shareSubject(asked.service, id, olds);
  const askedMs = clock.now();
  const isReady = olds.status === "DEPLOYED";
  const { live, needed } = await (isReady ? stillNeeded : leftToDo)(asked, subject, olds, news);
  // The readings take no time from the write.
  const context = { ...asked, deadlineMs: asked.deadlineMs + (clock.now() - askedMs) };
  if (!isReady && !isPresent(live)) return gone(id, news, live?.status);
  const location = needed && defined({ locationId: await locationAfterMove(context, id, { ...olds, ...live }, news) });
  const write = needed && { ...needed, want: { ...needed.want, ...location } };
  return carryOut(context, { ...subject, status: live?.status ?? olds.status }, write, olds, news);
}

/** What a reading has shown before a write, and the write that is needed. */
type Look = Promise<{ live?: WireShare | undefined; needed: Write | undefined }>;

/**
 * Reads a share that is ready. It needs the planned write, unless a reading that is the truth shows what that wants: somebody has done it, or a
 * run whose process was killed. A list that shows other values is enough. Says whose values the write replaces.
 */
async function stillNeeded(context: Context, subject: Subject<WireShare>, olds: ShareOutputs, news: ShareInputs): Look {
  const planned = planWrite(olds, news);
  if (!planned) return { needed: undefined };
  const { kind, id, lastWrite } = subject;
  // What is asked for from then on is the truth, not what is answered.
  const isTruth = kind.clock.now() >= lastWrite.settlesAtMs;
  const listed = await kind.view.entry(id, context);
  const isEnough = listed !== undefined && rules.differingArguments(listed, planned.want).length > 0;
  const live = isEnough ? listed : await kind.calls.get(id, context);
  const isShown = live !== undefined && lacking(live, planned).length === 0;
  // An early reading that shows it can be a replica of before an edit that is reverted.
  const proof = isTruth || !isShown ? live : await find(subject, context);
  if (!proof || (!isTruth && !isShown)) return { live, needed: planned };
  if (lacking(proof, planned).length === 0 && !isFailed(proof)) return { live: proof, needed: undefined };
  reportOthers(context, { id, olds, live: proof }, Object.keys(planned.want), news);
  return { live: proof, needed: planned };
}

/** Returns what an unfinished update has left to do: what it has done is known only from a reading that is the truth. */
async function leftToDo(context: Context, subject: Subject<WireShare>, olds: ShareOutputs, news: ShareInputs): Look {
  const live = await find(subject, context);
  if (!live) return { needed: undefined };
  const planned = planWrite({ ...olds, status: live.status }, news);
  const missing = planned ? lacking(live, planned) : [];
  if (planned?.method === "PUT" && (isFailed(live) || missing.length > 0)) return { live, needed: planned };
  const fields = [...new Set([...missing, ...rules.differingArguments(live, news)])];
  return { live, needed: fields.length > 0 ? { method: "PATCH", want: pick(news, fields), fields } : undefined };
}

/** Sends the write, and waits for the goal. Without a write it only waits. @throws FrontdoorError of a refusal. */
async function carryOut(
  context: Context,
  subject: Subject<WireShare>,
  write: Write | undefined,
  olds: ShareOutputs,
  news: ShareInputs,
): Promise<Outcome<ShareOutputs>> {
  const { id, lastWrite, kind } = subject;
  const facts = new Facts(lastWrite);
  const fields = write ? Object.keys(write.want) : olds.status === "DEPLOYED" ? [] : undefined;
  const cleared = rules.clearedFields(olds, news);
  const kept = defined(olds, (name) => rules.mayLack.includes(name) && !cleared.includes(name));
  const known = { ...kept, ...defined({ ...news, ...write?.want }) };
  try {
    const waited = await (write
      ? sendWrite(context, subject, write, news, facts)
      : kind.view.wait(id, judgeOf<WireShare>(kind.clock, { want: rules.fullBody(news) }, lastWrite), context));
    const more = { __settlesAt: settlesAtOf(kind.clock, facts.write) };
    if (waited.now === "done") return await deployedShare(context, waited.value, news, { known, more, fields });
    const isAgain = !write && olds.status === "NEW" && (waited.last?.status ?? "NEW") === "NEW";
    const outputs = { ...pick(known, rules.mayLack), ...more };
    return unfinishedShare(id, news, statusAfter(waited.last), { ...waited, isAgain }, outputs);
  } catch (error) {
    const isMissing = !facts.isOpen && (isRefused(error, 404, 410) || isHidden(error));
    if (isMissing && !(await find(subject, context))) return gone(id, news);
    if (!facts.isOpen) throw error;
    // Nobody knows if the write will take effect: the state keeps what it had, so the next run compares again.
    const __settlesAt = settlesAtOf(kind.clock, facts.write);
    return { ...unfinishedShare(id, news, "NEW", failedBy(error)), outputs: { ...olds, status: "NEW", __settlesAt } };
  }
}

/** Returns the status for the state. DEPLOYED is the status from before the write, so the next run must wait again. */
const statusAfter = (last: WireShare | undefined): string =>
  last === undefined || last.status === "DEPLOYED" ? "NEW" : last.status;

/** Sends a write once, and waits for its end. @throws FrontdoorError. */
function sendWrite(context: Context, subject: Subject<WireShare>, write: Write, inputs: ShareInputs, facts: Facts) {
  const { kind, id, tunnelIds = [] } = subject;
  const on = [...new Set([...tunnelIds, inputs.ipsecTunnelId])];
  const send = (onSend: () => void) => kind.calls.write(write.method, id, write.want, context, onSend);
  // A list entry can lack a field that the share has.
  const update = { goal: write, send, isById: write.method === "PUT" };
  return updateOnce({ ...subject, label: shareLabel(inputs.name, id), tunnelIds: on, inputs }, update, facts, context);
}

/** Says which values somebody has changed outside Pulumi, if the write replaces them: the state of a share that is ready has the last ones. */
function reportOthers(
  { service, secrets }: Context,
  { id, olds, live }: { id: string; olds: ShareOutputs; live: WireShare },
  written: readonly string[],
  news: ShareInputs,
): void {
  const isOther = (name: string) => written.includes(name) && rules.differingArguments(live, news).includes(name);
  const changed = rules.differingArguments(live, olds).filter(isOther);
  if (changed.length > 0) service.say(changedOutside(shareLabel(news.name, id), changed, live, secrets));
}

const gone = (id: string, news: ShareInputs, status = "DELETED"): Outcome<ShareOutputs> =>
  unfinishedShare(id, news, status, { why: "failed", reason: "Frontdoor no longer shows the share" });

/** Deletes a share and waits until it is gone. A share that this run owns is skipped with a message. @throws FrontdoorError. */
export async function deleteShare(id: string, olds: ShareOutputs, context: Context): Promise<void> {
  const { name, frontdoorId, ipsecTunnelId: tunnelId, ingressPort } = olds;
  const frontDoor = context.service.frontDoor(frontdoorId);
  const isForTunnel = frontDoor.shares.ledger.orderOf(id) === "delete first";
  const place = { name, tunnelId, ingressPort };
  await deleteUnlessOwned(context, shareSubject(context.service, id, olds), place, async () => {
    if (isForTunnel) await refuseIfUsed(frontDoor, tunnelId, context);
  });
}

const shareSubject = (
  service: Service,
  id: string,
  { name, status, frontdoorId, ipsecTunnelId, __settlesAt }: ShareOutputs,
): Subject<WireShare> => ({
  kind: service.frontDoor(frontdoorId).shares,
  lastWrite: lastWriteIn(service.clock, { __settlesAt }, service.config.requestTimeoutMs),
  ...{ id, label: shareLabel(name, id), status, tunnelIds: [ipsecTunnelId] },
});

/**
 * Returns a share that is ready as the service shows it, or unfinished if one of these fields shows another value than was sent. If a list
 * entry lacks a known field, one GET completes it, or the known value holds.
 */
async function deployedShare(
  context: Context,
  seen: WireShare,
  inputs: ShareInputs,
  of: { fields?: readonly string[] | undefined; known?: Partial<WireShare>; more: Partial<ShareOutputs> },
): Promise<Outcome<ShareOutputs>> {
  const { fields, known = inputs, more } = of;
  const { id } = seen;
  const { calls } = context.service.frontDoor(inputs.frontdoorId).shares;
  const whole = rules.isPartial(seen, known) ? await calls.get(id, context).catch(() => undefined) : undefined;
  const unseen = rules.mayLack.filter((name) => !has(seen, name));
  const shown = { ...seen, ...pick(whole ?? known, unseen) };
  const outputs = rules.outputsOf(shown, { ...inputs, __set: rules.setBy(inputs), ...more });
  const other = rules.differingArguments(outputs, known).filter((name) => has(inputs, name) || fields?.includes(name));
  const told = { label: shareLabel(inputs.name, id), canUpdate: true, context, fields };
  return asShown(told, { id, outputs }, known, other);
}

/** Returns a share that is not ready. The state gets its id and the inputs, so the next run finds only the status different. */
function unfinishedShare(
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
  return { id, outputs: { ...outputs, ...defined(more) }, unfinished: error };
}
