import { isPresent, type WireShare } from "../api/wire";
import { refuseIfUsed } from "../converge/refusal";
import { asReason, failed } from "../errors";
import { type Planned, UNKNOWN } from "../fields/field";
import { isChanged, rules, shareFields, type ShareInputs, type ShareOutputs } from "../fields/share";
import {
  checkedName,
  type Comparison,
  type Diff,
  type Lifecycle,
  type Notes,
  type Outcome,
} from "../lifecycle/lifecycle";
import { pendingDelete, replaceRequests, statusPrefix } from "../messages";
import { createOnce } from "../converge/create";
import type { Context, FrontDoor, Service } from "../run/service";
import { acceptShown } from "../view/acceptors";
import { claimIdInState, deleteUnlessOwned, findExisting, keepName, withFreeName } from "./adopt";
import { shareLabel } from "./names";
import { failedBy, fromTable } from "./resource";
import { deployedShare, readShare, shareSubject, showing, unfinishedShare } from "./share-outputs";
import { reconcile, knownOutputs, plannedWrite, updateShare, willFollow } from "./share-update";

/** Seconds (contract: Resources). */
export const shareTimeouts = { create: 900, update: 900, delete: 900 };

const type = {
  ...{ table: shareFields, what: "IpsecShare", words: "IPsec share", rules, timeouts: shareTimeouts },
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
  const hasUnknownTunnel = news.ipsecTunnelId === UNKNOWN;
  const order = hasUnknownTunnel ? replaceOrderOf(context.service, frontDoor, tunnelId) : undefined;
  // Before a delete-first replacement of the tunnel, Pulumi asks each dependent for a diff without a check.
  if (hasUnknownTunnel && !declared?.hasUnknownTunnel) {
    if (["owned", "moving"].includes(ledger.stateOf(id)) || order === "stays") return noChange;
    ledger.willFree(id, "leaves", { name, checkedName: String(checkedName(news)), tunnelId, ingressPort });
    return { ...noChange, changes: true, replaces: ["ipsecTunnelId"] };
  }
  if (declared) claimIdInState(frontDoor.shares, id, declared.origin);
  const isOnFrontDoor = news.frontdoorId === olds.frontdoorId;
  const isMoved = news.ipsecTunnelId !== tunnelId || news.ingressPort !== ingressPort;
  const isMoving = isMoved && isOnFrontDoor && !hasUnknownTunnel && declared !== undefined;
  if (isMoving) ledger.willFree(id, "moves", { tunnelId, ingressPort });
  const replaces: string[] = isOnFrontDoor ? [] : ["frontdoorId"];
  // Only a tunnel that is deleted first takes its shares with it. If no order is known, the old tunnel is deleted after the share's move.
  if (hasUnknownTunnel && order === "delete first") replaces.push("ipsecTunnelId");
  // If the state says that the share is gone, a read decides.
  if (!isPresent(olds) && !isPresent(await calls.get(id, context))) replaces.push("status");
  if (declared && replaces.length === 0 && news.name === name) keepName(frontDoor.shares, olds, declared.origin);
  const isDifferent = isChanged(olds, news);
  const isReady = olds.status === "DEPLOYED" && !olds.__statusBefore && !olds.__sent;
  const changes = isDifferent || replaces.length > 0 || rules.isNewlySet(olds, news) || !isReady;
  return {
    changes,
    isOfInputs: isDifferent && replaces.length === 0 && isReady && olds.__set !== undefined,
    replaces,
    deleteBeforeReplace: isOnFrontDoor,
    isConfirmed: !changes && declared !== undefined,
  };
}

/** Returns the order in which this run replaces a tunnel. If it replaces only others, the program has moved the share to one of those. */
function replaceOrderOf(service: Service, { tunnels: { ledger } }: FrontDoor, tunnelId: string) {
  const state = ledger.stateOf(tunnelId);
  const isStaying = state === "owned" || (state === "unknown" && service.isReplacingTunnels());
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
  const write = plannedWrite(olds, news);
  if (!write || wasReplaced(context, olds, news.ipsecTunnelId)) return undefined;
  const without = write.method === "PUT" && write.fields.length > 0 ? "without " : "";
  // A read that fails leaves the line as it is.
  const isFollowing =
    news.ipsecTunnelId !== olds.ipsecTunnelId && (await willFollow(context, { ...olds, id }, news).catch(() => false));
  const fields = isFollowing && write.method === "PATCH" ? [...write.fields, "locationId"] : write.fields;
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
  const isNew = now === UNKNOWN || (now !== before && ledger.stateOf(String(now)) === "owned");
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
  if (existing) return reconcileFound(context, existing.live, existing.inputs);
  const inputs = withFreeName(kind, given, isNameDerived);
  const share = { kind, label: shareLabel(inputs.name), inputs, isNameDerived };
  await awaitPending(context, inputs);
  const isIdentical = (entry: WireShare) => showing(inputs)(entry) && !rules.isPartial(entry, inputs);
  const accept = acceptShown(showing(inputs));
  const goal = { body: rules.fullBody(inputs), isIdentical, accept, tunnelIds: [inputs.ipsecTunnelId] };
  const { id, found, waited: wait } = await createOnce({ ...share, ...goal }, context);
  if (found && !(isIdentical(found) && ["NEW", "DEPLOYED"].includes(found.status))) {
    // The id must reach the state, whatever fails from here on.
    return reconcileFound(context, found, inputs).catch((error: unknown) =>
      unfinishedShare(id, inputs, "NEW", failedBy(error)),
    );
  }
  const waited = wait ?? (await kind.view.wait(id, accept, context));
  if (waited.now === "done") return deployedShare(context, waited.value, inputs);
  return unfinishedShare(id, inputs, waited.last?.status ?? "NEW", waited);
}

/** Brings a share that was found in the service to its inputs. */
const reconcileFound = (context: Context, live: WireShare, inputs: ShareInputs) =>
  reconcile(context, live.id, rules.outputsOf(live, { frontdoorId: inputs.frontdoorId }), inputs);

/** Waits for the shares that leave the name or the port of a new one in this run. @throws FrontdoorError `failed` if one stays. */
async function awaitPending(context: Context, inputs: ShareInputs): Promise<void> {
  const { name, frontdoorId, ipsecTunnelId: tunnelId, ingressPort } = inputs;
  const { ledger } = context.service.frontDoor(frontdoorId).shares;
  for (const id of ledger.pendingAt({ name, tunnelId, ingressPort })) {
    const error = await ledger.awaitFreed(id, context);
    if (error) throw failed(pendingDelete(shareLabel(inputs.name), id, asReason(error.message)));
  }
}

/** Deletes a share and waits until it is gone. A share that this run owns is skipped with a message. @throws FrontdoorError. */
export async function deleteShare(id: string, olds: ShareOutputs, context: Context): Promise<void> {
  const { name, frontdoorId, ipsecTunnelId: tunnelId, ingressPort } = olds;
  const frontDoor = context.service.frontDoor(frontdoorId);
  // The diff of the share has made it leaving, because Pulumi replaces its tunnel.
  const isForTunnel = frontDoor.shares.ledger.stateOf(id) === "leaving";
  const place = { name, tunnelId, ingressPort };
  await deleteUnlessOwned(context, shareSubject(context.service, id, olds), place, async () => {
    if (isForTunnel) await refuseIfUsed(frontDoor, tunnelId, context);
  });
}
