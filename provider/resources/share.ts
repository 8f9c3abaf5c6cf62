import { isPresent, type WireShare } from "../api/wire";
import { lagMs } from "../consistency";
import { refuseIfUsed, sharesOf } from "../converge/refusal";
import { defined, has, type Planned, UNKNOWN } from "../fields/field";
import { rules, shareFields, type ShareInputs, type ShareOutputs } from "../fields/share";
import { sameSpelling } from "../fields/values";
import type { Checked, Comparison, Declaration, Diff, Lifecycle, Notes } from "../lifecycle/contract";
import { checkedName } from "../lifecycle/lifecycle";
import { staysAtService } from "../messages";
import { onlyOptions, portHeld } from "../preview-lines";
import type { Context, FrontDoor, Service } from "../run/service";
import { backoff, persist, type Until } from "../time";
import { noteVerdict, placeOf } from "./adopt";
import { Updatable } from "./updatable";

/** Seconds (contract: Resources). */
export const shareTimeouts = { create: 900, update: 900, delete: 900 };

/** A share of any service, single or in a set. */
export const shares = new Updatable<WireShare, ShareInputs, ShareOutputs>({
  table: shareFields,
  what: "IpsecShare",
  words: "IPsec share",
  codes: { ended: "share-error", incomplete: "share-incomplete", gone: "share-gone" },
  rules,
  timeouts: shareTimeouts,
  kind: ({ shares }: FrontDoor) => shares,
  alsoChanged: async (context, id, state, inputs) =>
    defined({ locationId: await locationAfterMove(context, id, state, inputs) }),
});

/** The resource, for its classes, schema and pages. */
export const share = {
  doc: "Publishes a private application on an IPsec tunnel. The share maps an ingress port of the tunnel's load balancer to a target that a hosting agent reaches. An update interrupts the share until its status is DEPLOYED again. The share keeps its id.",
  fields: shareFields,
  lifecycle: shareLifecycle,
};

/** Shares of one service (spec: Shares). */
export function shareLifecycle(service: Service): Lifecycle<ShareInputs, ShareOutputs> {
  const fromTable = shares.lifecycle(service);
  return {
    ...fromTable,
    check: (declared) => withRetain(fromTable.check(declared), declared),
    async diff(id, state, inputs, context) {
      const comparison = await compareShare(context, id, state, inputs);
      return isRetainChanged(state, inputs) ? { ...comparison, changes: true, isConfirmed: false } : comparison;
    },
    preview: async (id, state, inputs, diff, context) =>
      (await previewShare(id, state, inputs, diff, context)) ??
      (isRetainChanged(state, inputs) ? onlyOptions(["retain"]) : undefined),
    knownOutputs,
    delete: async (id, state, context) => {
      if (isRetained(context, state)) context.service.say(staysAtService(`IPsec share "${state.name}" (${id})`));
      else await deleteShare(context, id, state);
    },
  };
}

/** Adds the `retain` of a site's share to its checked inputs. */
function withRetain(checked: Checked<ShareInputs>, { news: { __retain = false } }: Declaration): Checked<ShareInputs> {
  const isRight = typeof __retain === "boolean" || __retain === UNKNOWN || __retain === null;
  const failures = isRight ? [] : [{ property: "retain", reason: "must be true or false" }];
  return {
    ...checked,
    inputs: { ...checked.inputs, ...(__retain === true && { __retain }) },
    failures: [...checked.failures, ...failures],
  };
}

/** `retain` is an input, and only the state keeps it. */
const isRetainChanged = (state: ShareOutputs & Notes, inputs: Planned<ShareInputs> & Notes): boolean =>
  state.__retain !== inputs.__retain;

/**
 * True if a share has left its site with `retain`, and the site stays: the program declares the tunnel, and no longer the share. In a destroy, and
 * before a tunnel that is replaced delete first, the share is deleted, as in a set.
 */
function isRetained({ service }: Context, state: ShareOutputs & Notes): boolean {
  const { frontdoorId, ipsecTunnelId: tunnelId, __retain } = state;
  const { shares: kind, tunnels } = service.frontDoor(frontdoorId);
  const isTunnelStaying =
    tunnels.register.id(tunnelId).isInState === true && tunnels.register.orderOf(tunnelId) !== "delete first";
  // With `--replace`, Pulumi deletes a share that is still declared.
  const isDeclared = kind.register.named(checkedName(state))?.isInState === true;
  return __retain === true && isTunnelStaying && !isDeclared;
}

/** A share that stays as it is, and that the program does not confirm. */
export const noChange: Comparison = {
  changes: false,
  isOfInputs: false,
  replaces: [],
  deleteBeforeReplace: true,
  isConfirmed: false,
};

/** Compares a share with the program, and tells the register if it leaves or moves. @throws FrontdoorError. */
export async function compareShare(
  context: Context,
  id: string,
  state: ShareOutputs,
  inputs: Planned<ShareInputs> & Notes,
): Promise<Comparison> {
  const isTunnelUnknown = inputs.ipsecTunnelId === UNKNOWN;
  const isSeen = hasSeenUnknownTunnel(context, state.frontdoorId, inputs);
  if (isTunnelUnknown && !isSeen) return compareForTunnel(context, id, state, inputs);
  const goes = isTunnelUnknown && fateWithTunnel(context, id, state, isSeen) === "goes";
  const isOnFrontDoor = inputs.frontdoorId === state.frontdoorId;
  const isOther = inputs.ipsecTunnelId !== state.ipsecTunnelId || inputs.ingressPort !== state.ingressPort;
  return shares.compare(context, id, state, inputs, {
    replacing: goes ? ["ipsecTunnelId"] : [],
    isMoved: isOther && isOnFrontDoor && !isTunnelUnknown,
  });
}

/**
 * True if check has seen that the program puts this share on a tunnel that does not exist yet. Else Pulumi asks about a share with an unknown
 * tunnel because it replaces the tunnel. Check has also seen a share that moves to another front door, and that this one does not know by its name.
 */
function hasSeenUnknownTunnel(
  { service, isChecked = false }: Context,
  frontdoorId: string,
  inputs: { name?: unknown } & Notes,
): boolean {
  const declared = service.frontDoor(frontdoorId).shares.register.named(checkedName(inputs));
  return declared?.hasUnknownTunnel ?? isChecked;
}

const fateWithTunnel = (
  { service }: Context,
  id: string,
  { frontdoorId, ipsecTunnelId: tunnelId }: ShareOutputs,
  isSeen: boolean,
) => {
  const { shares: kind, tunnels } = service.frontDoor(frontdoorId);
  const run = { tunnels: tunnels.register, isReplacing: service.isReplacingTunnels() };
  return kind.register.fateWithTunnel(id, { tunnelId, isSeen }, run);
};

/** Compares a share because Pulumi replaces its tunnel delete first. @throws FrontdoorError. */
export function compareForTunnel(
  context: Context,
  id: string,
  state: ShareOutputs,
  inputs: Planned<ShareInputs> & Notes,
): Comparison {
  if (fateWithTunnel(context, id, state, false) !== "goes") return noChange;
  const place = { ...placeOf(state), checkedName: String(checkedName(inputs)) };
  const kind = context.service.frontDoor(state.frontdoorId).shares;
  noteVerdict(kind, undefined, id, { what: "replace", place, goesWithTunnel: true });
  return { ...noChange, changes: true, replaces: ["ipsecTunnelId"] };
}

/** Returns the line that a preview shows beside a share. */
async function previewShare(
  id: string,
  state: ShareOutputs,
  inputs: Planned<ShareInputs>,
  diff: Diff,
  context: Context,
): Promise<string | undefined> {
  if (diff.replaces.length > 0) return shares.preview(state, inputs, diff);
  if (wasReplaced(context, state, inputs.ipsecTunnelId)) return undefined;
  // A read that fails leaves the line as it is.
  const isFollowing = await willFollow(context, id, state, inputs).catch(() => false);
  const line = shares.preview(state, inputs, diff, isFollowing ? { locationId: UNKNOWN } : {});
  const holder = await holderOfPort(context, id, state, inputs).catch(() => undefined);
  return line && holder ? `${line}; ${portHeld(state.ipsecTunnelId, holder)}` : line;
}

/** Returns the share that has the port which another one takes, unless this run is known to move or delete it. */
async function holderOfPort(
  context: Context,
  id: string,
  { frontdoorId, ipsecTunnelId, ingressPort }: ShareOutputs,
  inputs: Planned<ShareInputs>,
): Promise<WireShare | undefined> {
  if (inputs.ingressPort === ingressPort || inputs.ipsecTunnelId !== ipsecTunnelId) return undefined;
  const frontDoor = context.service.frontDoor(frontdoorId);
  const listed = await frontDoor.once.do(`ports of ${ipsecTunnelId}`, () =>
    sharesOf(frontDoor, ipsecTunnelId, context),
  );
  const { register } = frontDoor.shares;
  return listed.find(
    (share) =>
      share.ingressPort === inputs.ingressPort && share.id !== id && isPresent(share) && !register.isPending(share.id),
  );
}

/**
 * True if an earlier run may have deleted the share with its tunnel, and ended: the state then lacks the tunnel, and this run creates both
 * again. Pulumi shows an update.
 */
export const wasReplaced = (
  { service }: Context,
  { frontdoorId, ipsecTunnelId: before }: { frontdoorId: string; ipsecTunnelId: string },
  now: unknown,
): boolean => {
  const { register } = service.frontDoor(frontdoorId).tunnels;
  const isNew = now === UNKNOWN || (now !== before && register.fateOf(String(now)) === "stays");
  return isNew && !register.id(before).isInState;
};

/** Deletes a share and waits until it is gone. A share that this run owns is skipped with a message. @throws FrontdoorError. */
export function deleteShare(context: Context, id: string, state: ShareOutputs): Promise<void> {
  const frontDoor = context.service.frontDoor(state.frontdoorId);
  const isForTunnel = frontDoor.shares.register.id(id).goesWithTunnel;
  return shares.delete(context, id, state, async () => {
    if (isForTunnel) await refuseIfUsed(frontDoor, state.ipsecTunnelId, context);
  });
}

/**
 * Returns the location that a share takes when it moves: that of its new tunnel, if the program gives none and the share has one. Undefined
 * if the share keeps its location. @throws FrontdoorError if a read fails.
 */
async function locationAfterMove(
  context: Context,
  id: string,
  { ipsecTunnelId, locationId }: Pick<ShareOutputs, "ipsecTunnelId" | "locationId">,
  inputs: ShareInputs,
): Promise<string | undefined> {
  if (has(inputs, "locationId") || sameSpelling(inputs.ipsecTunnelId, ipsecTunnelId)) return undefined;
  const frontDoor = context.service.frontDoor(inputs.frontdoorId);
  // Lists need not show the location of a share.
  const before = locationId ?? (await frontDoor.shares.calls.get(id, context))?.locationId;
  const after = before === undefined ? undefined : await locationOf(frontDoor, inputs.ipsecTunnelId, context);
  return after === before ? undefined : after;
}

/** True if a preview can tell that the share will take another location with its move. */
async function willFollow(
  context: Context,
  id: string,
  state: ShareOutputs,
  inputs: Planned<ShareInputs>,
): Promise<boolean> {
  const { frontdoorId, ipsecTunnelId } = inputs;
  if (has(inputs, "locationId") || frontdoorId === UNKNOWN) return false;
  // Pulumi creates the new tunnel first only if it has another location.
  if (ipsecTunnelId === UNKNOWN)
    return (
      state.locationId !== undefined &&
      context.service.frontDoor(frontdoorId).tunnels.register.orderOf(state.ipsecTunnelId) === "create first"
    );
  return (await locationAfterMove(context, id, state, inputs as ShareInputs)) !== undefined;
}

/** Returns the outputs as far as a preview knows them. A share that moves can take another location. */
export function knownOutputs(inputs: Planned<ShareInputs>, state?: ShareOutputs): Planned<ShareOutputs> {
  const outputs = rules.knownOutputs(inputs, state);
  const isMoving = state !== undefined && inputs.ipsecTunnelId !== state.ipsecTunnelId;
  return isMoving && !has(inputs, "locationId") ? { ...outputs, locationId: UNKNOWN } : outputs;
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
