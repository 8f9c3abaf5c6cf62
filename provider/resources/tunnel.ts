import * as z from "zod";
import { hasEnded, isFailed, isPresent, type WireShare, type WireTunnel, wireTunnelConfig } from "../api/wire";
import { detailsMs, lagMs } from "../consistency";
import { asReason, failed, type FrontdoorError, isHidden, isPassing, isRefused } from "../errors";
import { defined, has, isArgument, namesOf, pick, type Planned, UNKNOWN, valueOf } from "../fields/field";
import {
  changedInputs,
  hasWorked,
  isStoringChanged,
  rules,
  tunnelFields,
  type TunnelInputs,
  type TunnelOutputs,
} from "../fields/tunnel";
import { volatileFields } from "../fields/tunnel-connection";
import type { TunnelConfig } from "../fields/types";
import { isPublicIpv4, sameSpelling } from "../fields/values";
import type { Comparison, Diff, Lifecycle, Outcome } from "../lifecycle/contract";
import { checkedName } from "../lifecycle/lifecycle";
import {
  adoptDiffers,
  detailUnread,
  differencesOf,
  driftTold,
  replacementNeeded,
  tunnelNeverDeployed,
  tunnelRetained,
  peerNotPublic,
  unfinishedResource,
} from "../messages";
import { failedTunnel, othersOn, replaceRequests, siteMustReload, statusPrefix } from "../preview-lines";
import { createOnce } from "../converge/create";
import { type Ended, ensure, ensureGone, seenIn, type Subject, truth, whyOf } from "../converge/ensure";
import { type LastWrite, lastWriteIn, neverWritten, settlesAtOf } from "../converge/progress";
import { Sender } from "../converge/send";
import type { Context, FrontDoor, Service } from "../run/service";
import { backoff, type Clock, persist, type Until } from "../time";
import { deleteUnlessOwned, findExisting, noteVerdict, placeOf } from "./adopt";
import { isDerivedInStackOf } from "../origin";
import { tunnelLabel } from "./names";
import { asShown, failedBy, fromTable, notReady, type Unready } from "./resource";

/** The resource, for its classes, schema and pages. */
export const tunnel = {
  doc: "A managed VPN endpoint that peers with the IPsec device of a remote site. The tunnel is ready, and its outputs are known, once Frontdoor reports DEPLOYED. Frontdoor cannot update a tunnel, so changing most arguments replaces it.",
  fields: tunnelFields,
  lifecycle: tunnelLifecycle,
};

const type = {
  table: tunnelFields,
  what: "IpsecTunnel",
  words: "IPsec tunnel",
  rules,
  kind: ({ tunnels }: FrontDoor) => tunnels,
  /** Seconds (contract: Resources). */
  timeouts: { create: 3600, update: 3600, delete: 3600 },
};

/** Tunnels of one service (spec: Tunnels). */
export function tunnelLifecycle(service: Service): Lifecycle<TunnelInputs, TunnelOutputs> {
  const table = fromTable<TunnelInputs, TunnelOutputs>(service, type);
  return {
    ...table,
    isFixed: true,
    check(declared) {
      const checked = table.check(declared);
      const { name, peerPublicIp } = checked.inputs;
      const isNew = typeof peerPublicIp === "string" && peerPublicIp !== declared.olds["peerPublicIp"];
      if (isNew && typeof name === "string" && !isPublicIpv4(peerPublicIp))
        service.say(peerNotPublic(tunnelLabel(name)));
      return checked;
    },
    diff: diffTunnel,
    preview: previewTunnel,
    create: createTunnel,
    read: readTunnel,
    update: updateTunnel,
    delete: deleteTunnel,
  };
}

/** Compares a tunnel with the program. Every change replaces it, except that of `storeSampleConfig`. @throws FrontdoorError. */
async function diffTunnel(
  id: string,
  state: TunnelOutputs,
  inputs: Planned<TunnelInputs>,
  context: Context,
): Promise<Comparison> {
  const { service } = context;
  const subject = tunnelSubject(service, id, state);
  const { register } = subject.kind;
  const declared = register.named(checkedName(inputs));
  const { updates, createFirst, replaces, drifted } = changedInputs(state, inputs, context.oldInputs);
  if (declared && drifted.length > 0)
    service.say(driftTold(subject.label, differencesOf(drifted, state, inputs, context.secrets)));
  let isThere = true;
  if (replaces.length === 0 && hasEnded(state)) {
    const seen = await findTunnel(subject, context);
    isThere = seen !== undefined;
    // A tunnel that has worked is replaced only by an edit.
    if (!seen || (hasEnded(seen) && !(isFailed(seen) && hasWorked(state)))) replaces.push("status");
  }
  const isFinished = state.status === "DEPLOYED" && state.tunnelConfig !== undefined;
  const changes = [...updates, ...replaces].length > 0 || !isFinished;
  // An unknown location may turn out to be the present one, where the service refuses a second tunnel.
  const isCreatedFirst = createFirst.some((key) => valueOf(inputs, key) !== UNKNOWN);
  if (declared?.isRetained && replaces.length > 0 && !isCreatedFirst && isThere)
    throw failed(tunnelRetained(subject.label));
  const order = isCreatedFirst ? "create first" : "delete first";
  const what = replaces.length > 0 ? "replace" : changes ? "update" : "same";
  noteVerdict(subject.kind, declared?.origin, id, { what, place: placeOf(state), order });
  const isOfInputs = isFinished && replaces.length === 0 && isStoringChanged(state, inputs);
  const isConfirmed = !changes && declared !== undefined;
  return { changes, isOfInputs, replaces, deleteBeforeReplace: !isCreatedFirst, isConfirmed };
}

/** Returns the line that a preview shows beside a tunnel: the requests in order, the part of its shares, and shares that may be another stack's. */
async function previewTunnel(
  id: string,
  state: TunnelOutputs,
  inputs: Planned<TunnelInputs>,
  diff: Diff,
  context: Context,
): Promise<string | undefined> {
  if (diff.replaces.length === 0) return isFailed(state) ? failedLine(id, state, context) : undefined;
  const { frontdoorId } = inputs;
  const shares = diff.deleteBeforeReplace
    ? "are deleted first, and created again on the new tunnel"
    : frontdoorId === state.frontdoorId
      ? "move to the new tunnel by PATCH in between"
      : "are deleted, and created again on the new tunnel";
  const { service } = context;
  // The program declares it on the front door to which it moves.
  const { register } = service.frontDoor(frontdoorId === UNKNOWN ? state.frontdoorId : frontdoorId).tunnels;
  const others = await otherShares(
    service.frontDoor(state.frontdoorId),
    id,
    register.named(checkedName(inputs))?.origin,
    context,
  );
  const also = others.length === 0 ? "" : `; ${othersOn(others)}`;
  const isKnown = diff.replaces.some((name) => valueOf(inputs, name) !== UNKNOWN);
  const reason = isKnown ? statusPrefix(diff, state) : `if ${diff.replaces.join(" or ")} changes: `;
  return `${reason}${replaceRequests(diff)}; its shares ${shares}; ${siteMustReload}${also}`;
}

/** Returns the line beside a tunnel that the run will end at, because it has failed. Undefined if it is well by now. */
async function failedLine(id: string, state: TunnelOutputs, context: Context): Promise<string | undefined> {
  const seen = await findTunnel(tunnelSubject(context.service, id, state), context);
  return seen && isFailed(seen) ? failedTunnel(seen.status, state.__failedSince) : undefined;
}

/** Returns the ids of the shares on a tunnel that are not of the program, and whose names another stack can have derived. None if the list fails. */
async function otherShares(
  { shares }: FrontDoor,
  tunnelId: string,
  origin: string | undefined,
  until: Until,
): Promise<string[]> {
  // A refresh compares without the program.
  if (origin === undefined) return [];
  const listed = await shares.calls.list([["ipsecTunnelId", tunnelId]], until).catch(() => ({ entries: [] }));
  const isOther = (share: WireShare) => !shares.register.isOfProgram(share) && !isDerivedInStackOf(origin, share.name);
  const isOn = (share: WireShare) => sameSpelling(share.ipsecTunnelId, tunnelId) && isPresent(share);
  // A name can be a secret of the program, and no share has been compared yet.
  return listed.entries.flatMap((share) => (isOn(share) && isOther(share) ? share.id : []));
}

/** Creates or adopts a tunnel and waits until it is DEPLOYED (spec: POST ipsec-tunnels). @throws FrontdoorError if there is no tunnel to save. */
async function createTunnel(
  inputs: TunnelInputs,
  isNameDerived: boolean,
  context: Context,
): Promise<Outcome<TunnelOutputs>> {
  const kind = context.service.frontDoor(inputs.frontdoorId).tunnels;
  const creation = { kind, label: tunnelLabel(inputs.name), inputs, isNameDerived };
  const existing = await findExisting(creation, context);
  if (existing) return adoptTunnel(context, existing.seen, existing.inputs);
  const body = rules.fullBody(inputs);
  const isIdentical = (seen: WireTunnel) => rules.differingArguments(seen, inputs).length === 0;
  const created = await createOnce({ ...creation, body, isIdentical }, context);
  const { id, found } = created;
  const isOther = found && !created.isOfThisRun && !isIdentical(found);
  if (found && created.isNamedByRecord && (isFailed(found) || isOther)) {
    // The service cannot change a tunnel, so the tunnel of the interrupted run is deleted, and a new one is created.
    const before = rules.outputsOf(found, { ...inputs });
    try {
      await ensureGone(tunnelSubject(context.service, id, before), context);
    } catch (error) {
      // The id must reach the state.
      return unfinishedTunnel(id, before, failedBy(error));
    }
    kind.register.freed(id, { locationId: found.locationId });
    kind.records.remove(inputs.name);
    return createTunnel(inputs, isNameDerived, context);
  }
  if (found && isOther) {
    const reason = "an interrupted run created this tunnel with other arguments";
    const message = unfinishedResource(tunnelLabel(inputs.name, id), reason, "replace the tunnel", "tunnel-differs");
    // No record names its id, so only Pulumi may delete it. What differs only in spelling is as declared: the next run must not take it for
    // another location.
    return { id, outputs: rules.outputsOf(found, { ...inputs }), unfinished: failed(message) };
  }
  const before = rules.outputsOf({ ...inputs, status: "NEW" }, { ...inputs });
  return deployedTunnel(context, id, inputs, before, created);
}

/** Adopts a tunnel that has every argument as declared: the service has no tunnel update. @throws FrontdoorError `failed` if one differs. */
function adoptTunnel(context: Context, seen: WireTunnel, inputs: TunnelInputs) {
  const known = { frontdoorId: inputs.frontdoorId, rotation: inputs.rotation };
  const shown = rules.outputsOf(seen, known);
  const lacking = changedInputs(shown, inputs).replaces.filter((key) => !has(seen, key));
  const differences = [...rules.differingArguments(seen, inputs), ...lacking].map((key) => {
    const value = valueOf(seen, key);
    return `${key} (it has ${typeof value !== "string" ? "none" : context.secrets?.includes(key) ? "[secret]" : value})`;
  });
  if (differences.length > 0) throw failed(adoptDiffers(tunnelLabel(inputs.name), seen.id, differences.join(", ")));
  return deployedTunnel(context, seen.id, inputs, rules.outputsOf(seen, inputs), unwritten);
}

/** Reads a tunnel. Its values never change, so one that is DEPLOYED can be believed at once. */
const findTunnel = (subject: Subject<WireTunnel>, context: Context) => truth(subject, context, {});

/** Returns the tunnel as the service shows it, or undefined if the service has proved that it is gone. @throws FrontdoorError. */
async function readTunnel(id: string, state: TunnelOutputs, context: Context): Promise<TunnelOutputs | undefined> {
  const subject = tunnelSubject(context.service, id, state);
  const wire = await findTunnel(subject, context);
  if (!wire) return undefined;
  const outputs = { ...rules.outputsOf(wire, state), __failedSince: failedSince(wire, state, context) };
  // Its arguments need not be those of the program, so the next `up` completes or replaces it. An import has no status.
  const isUnfinished = !hasWorked(state) && state.status !== "";
  if (wire.status !== "DEPLOYED" || isUnfinished) return withFacts(outputs, state);
  const tunnelConfig = await connectionOf(subject, state, context);
  const isStored = state.sampleConfig !== undefined;
  return { ...outputs, tunnelConfig, ...(isStored && { sampleConfig: await sampleOf(subject, state, context) }) };
}

/** Returns when this provider first saw the failed status. Undefined if the tunnel has not failed. */
const failedSince = (seen: { status: string }, { __failedSince }: TunnelOutputs, { service }: Context) =>
  isFailed(seen) ? (__failedSince ?? `${new Date(service.clock.wall()).toISOString().slice(0, 16)}Z`) : undefined;

const factNames = namesOf(tunnelFields, (field) => !isArgument(field));

/** Returns the outputs with what only a DEPLOYED tunnel shows, as the state has it. */
const withFacts = (outputs: TunnelOutputs, state: TunnelOutputs): TunnelOutputs => ({
  ...outputs,
  ...defined(
    pick(
      state,
      factNames.filter((name) => !has(outputs, name)),
    ),
  ),
});

/**
 * Resumes a wait that was cut short, and fetches or drops the sample configuration. The service has no tunnel update.
 * `pulumi do --stateless … patch` sends every change as an update. @throws FrontdoorError `failed` if it needs a replacement.
 */
async function updateTunnel(
  id: string,
  state: TunnelOutputs,
  inputs: TunnelInputs,
  context: Context,
): Promise<Outcome<TunnelOutputs>> {
  const subject = tunnelSubject(context.service, id, state);
  const { replaces } = changedInputs(state, inputs, context.oldInputs);
  if (replaces.length > 0) throw failed(replacementNeeded(subject.label, replaces));
  subject.kind.register.keeps(id);
  if (await findTunnel(subject, context)) return deployedTunnel(context, id, inputs, state, unwritten);
  return unfinishedTunnel(id, { ...state, status: "DELETED" }, { why: "failed", reason: "it no longer exists" });
}

/**
 * Deletes a tunnel. The service refuses while shares use it (spec: Tunnel rule). So the provider waits for shares that are moving or
 * leaving. @throws FrontdoorError that names all others.
 */
async function deleteTunnel(id: string, state: TunnelOutputs, context: Context): Promise<void> {
  await deleteUnlessOwned(context, tunnelSubject(context.service, id, state), placeOf(state));
}

const tunnelSubject = (
  service: Service,
  id: string,
  { name, status, frontdoorId, __settlesAt }: Pick<TunnelOutputs, "name" | "status" | "frontdoorId" | "__settlesAt">,
): Subject<WireTunnel> => ({
  kind: service.frontDoor(frontdoorId).tunnels,
  usersOn: service.frontDoor(frontdoorId),
  lastWrite: lastWriteIn(service.clock, { __settlesAt }, service.config.requestTimeoutMs),
  id,
  label: tunnelLabel(name, id),
  status,
});

/** For a tunnel that this operation has not written. */
const unwritten = { write: neverWritten };

/** Waits until the tunnel is DEPLOYED, unless a create has waited, and reads its details. Returns a tunnel that is not ready with the reason. */
async function deployedTunnel(
  context: Context,
  id: string,
  inputs: TunnelInputs,
  before: TunnelOutputs,
  { waited: createWait, write }: { waited?: Ended<WireTunnel> | undefined; write: LastWrite },
): Promise<Outcome<TunnelOutputs>> {
  const subject = tunnelSubject(context.service, id, before);
  const { kind } = subject;
  // Nothing is sent: a tunnel cannot be changed.
  const sender = Sender.afterAccepted(subject, write);
  const waited = createWait ?? (await ensure(subject, { want: rules.fullBody(inputs) }, sender, context));
  const wire = seenIn(waited);
  const shown = {
    ...(wire ? rules.outputsOf(wire, before) : before),
    __set: rules.setBy(inputs),
    __settlesAt: settlesAtOf(kind.clock, write),
  };
  // What no reading shows stays as the state has it, so a tunnel that has worked counts as one whatever read fails.
  let outputs = withFacts(shown, before);
  if (waited.now === "unfinished" || !wire) {
    const __failedSince = failedSince(outputs, before, context);
    return unfinishedTunnel(id, { ...outputs, __failedSince }, whyOf(waited));
  }
  if (before.status !== "DEPLOYED") kind.register.deployed(id);
  const told = { label: tunnelLabel(inputs.name, id), canUpdate: false, context };
  try {
    outputs = { ...outputs, tunnelConfig: await connectionOf(subject, before, context) };
    const sampleConfig = inputs.storeSampleConfig === false ? undefined : await sampleOf(subject, before, context);
    const made = { id, outputs: { ...outputs, sampleConfig } };
    return asShown(told, made, inputs, rules.differingArguments(wire, inputs));
  } catch (error) {
    return unfinishedTunnel(id, outputs, failedBy(error));
  }
}

/** Returns a tunnel that is not ready. The state gets its id. */
function unfinishedTunnel(id: string, outputs: TunnelOutputs, ended: Unready): Outcome<TunnelOutputs> {
  const codes = { ended: "tunnel-error", incomplete: "tunnel-incomplete" };
  const label = tunnelLabel(outputs.name, id);
  if (isFailed(outputs) && hasWorked(outputs)) {
    const message = `${label}: ${failedTunnel(outputs.status, outputs.__failedSince)}. It was not changed. [tunnel-failed]`;
    return { id, outputs, unfinished: failed(message) };
  }
  if (isFailed(outputs)) return { id, outputs, unfinished: failed(tunnelNeverDeployed(label, ended.reason)) };
  const told = { label, repair: "replace the tunnel", codes };
  return { id, outputs, unfinished: notReady(told, outputs.status, ended) };
}

const volatile = new Set<string>(volatileFields);

/** Reads details that exist once the tunnel is DEPLOYED. A replica may lack them for 30 s; transient trouble may last five minutes. @throws FrontdoorError. */
const onceDeployed = <T>(clock: Clock, until: Until, read: () => Promise<T>): Promise<T> =>
  persist(
    clock,
    until,
    ({ error, waitedMs }) => {
      const isEarly = error === undefined || isRefused(error, 400, 404, 409) || isHidden(error);
      const limitMs = isEarly ? lagMs : isPassing(error) ? detailsMs : 0;
      return waitedMs < limitMs ? backoff(waitedMs, clock.random()) : undefined;
    },
    read,
  );

/**
 * Returns a handler of a read that failed, which keeps what the state has: an update or a refresh must not fail because of details that never
 * change. @throws FrontdoorError if the state has none, or if Frontdoor asks for a pause: it holds for all requests, so no other read would end either.
 */
const keeping =
  <T>({ label }: Subject<WireTunnel>, { service }: Context, output: string, value: T | undefined) =>
  (error: unknown): T => {
    const { code, message } = error as FrontdoorError;
    if (value === undefined || code === "long-pause") throw error;
    service.say(detailUnread(label, asReason(message), output));
    return value;
  };

/**
 * Returns the stable details of the VPN connection (spec: GET tunnel-config), or those of the state if they cannot be read. Of several
 * connections it takes the one that the state has, known by its outside address, else the first one.
 */
async function connectionOf(
  subject: Subject<WireTunnel>,
  { tunnelConfig: before }: TunnelOutputs,
  context: Context,
): Promise<TunnelConfig> {
  const { calls, clock } = subject.kind;
  const known = before ?? {};
  const read = async (): Promise<TunnelConfig | undefined> => {
    const { tunnels } = await calls.below(subject.id, "tunnel-config", wireTunnelConfig, { until: context });
    const isKnown = ({ outsideIpAddress: ip }: TunnelConfig) => ip !== undefined && ip === known.outsideIpAddress;
    return tunnels?.find(isKnown) ?? tunnels?.[0];
  };
  // If the state has none, an earlier run has waited for a connection in vain.
  const isWithout = before !== undefined && Object.keys(before).length === 0;
  const reading = isWithout ? read() : onceDeployed(clock, context, read);
  const connection = await reading.catch(keeping(subject, context, "tunnelConfig", known));
  return defined(connection ?? {}, (name) => !volatile.has(name));
}

/**
 * Returns the sample configuration, which is secret (spec: GET sample-config), or that of the state if it cannot be read.
 * @throws FrontdoorError if it cannot be read and the state has none.
 */
function sampleOf(subject: Subject<WireTunnel>, { sampleConfig }: TunnelOutputs, context: Context): Promise<string> {
  const { calls, clock } = subject.kind;
  const call = { until: context, accept: "text/plain" } as const;
  const read = () => calls.below(subject.id, "sample-config", z.string(), call);
  return onceDeployed(clock, context, read).catch(keeping(subject, context, "sampleConfig", sampleConfig));
}
