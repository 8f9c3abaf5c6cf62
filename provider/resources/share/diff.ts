import { isAnothers } from "../../operations/answered-id";
import { isPresent } from "../../api/status";
import { type Planned, UNKNOWN } from "../../fields/field";
import type { FrontDoor, Service } from "../../service";
import type { Until } from "../../time/clock";
import { claimIdInState } from "../owner";
import type { Diff } from "../lifecycle";
import { isHalfReplaced, reportStaleRecords } from "../stale-records";
import { isChanged, rules, type ShareInputs, type ShareOutputs } from "./inputs";
import { shareSubject } from "./outputs";

/** A diff of one share. */
export interface Comparison extends Diff {
  /** True if the program declares the share exactly as the state has it. */
  isConfirmed: boolean;
}

const unchanged: Comparison = {
  changes: false,
  isOfInputs: false,
  replaces: [],
  deleteBeforeReplace: true,
  isConfirmed: false,
};

/** Compares a share with the program, and confirms one that needs no change. @throws FrontdoorError. */
export async function diffShare(
  service: Service,
  id: string,
  olds: ShareOutputs,
  news: Planned<ShareInputs>,
  until: Until,
  checkedName: unknown = news.name,
): Promise<Diff> {
  const { isConfirmed, ...diff } = await compareShare(service, id, olds, news, until, checkedName);
  if (isConfirmed && !(await isHalfReplaced(shareSubject(service, id, olds), String(checkedName), until)))
    confirmShare(service, id, olds, String(checkedName));
  return diff;
}

/** Records that this run owns the share: Pulumi has nothing to do for it. */
export function confirmShare(service: Service, id: string, olds: ShareOutputs, checkedName: string): void {
  const { kind, label } = shareSubject(service, id, olds);
  kind.ledger.record("confirmed", id);
  reportStaleRecords(kind, service, label, { name: checkedName, id });
}

/**
 * Compares a share with the program. It reads only if the state says that the share is gone. `checkedName` is the name that check has
 * returned: an adopted share without a name has another one. @throws FrontdoorError.
 */
export async function compareShare(
  service: Service,
  id: string,
  olds: ShareOutputs,
  news: Planned<ShareInputs>,
  until: Until,
  checkedName: unknown,
): Promise<Comparison> {
  const frontDoor = service.frontDoor(olds.frontdoorId);
  const { ledger, records, declarations } = frontDoor.shares;
  const hasAnothersId = await isAnothers(frontDoor.shares, { ...olds, id }, rules.required, until);
  records.remove(olds.name, id);
  const declared = declarations.named(checkedName);
  const { name, ipsecTunnelId: tunnelId, ingressPort } = olds;
  const hasUnknownTunnel = news.ipsecTunnelId === UNKNOWN;
  // If check has seen no unknown tunnel, Pulumi asks for this diff because it replaces the tunnel delete first.
  if (hasUnknownTunnel && !declared?.hasUnknownTunnel) {
    if (isTunnelStaying(service, frontDoor, tunnelId)) return unchanged;
    if (ledger.record("tunnel unknown", id, { name, tunnelId, ingressPort }) === "unchanged") return unchanged;
    return { ...unchanged, changes: true, replaces: ["ipsecTunnelId"] };
  }
  if (declared) claimIdInState(frontDoor.shares, id, declared.origin);
  const isOnFrontDoor = news.frontdoorId === olds.frontdoorId;
  const isMoving = isOnFrontDoor && !hasUnknownTunnel && news.ipsecTunnelId !== tunnelId;
  if (declared && isMoving) ledger.record("moved", id, { name, tunnelId, ingressPort });
  const replaces: string[] = [];
  if (!isOnFrontDoor) replaces.push("frontdoorId");
  if (hasUnknownTunnel && !willTunnelOutliveMove(service, frontDoor, tunnelId)) replaces.push("ipsecTunnelId");
  if (hasAnothersId || (await isGone(frontDoor, id, olds, until))) replaces.push("status");
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

/** True if the state says that the share is gone, and a read does not show it. */
const isGone = async ({ shares: { calls } }: FrontDoor, id: string, olds: ShareOutputs, until: Until) =>
  !isPresent(olds) && !isPresent(await calls.get(id, until));

/** True if this run does not replace the tunnel. If it replaces only others, the program has moved the share to one of those. */
function isTunnelStaying(service: Service, { tunnels: { ledger } }: FrontDoor, tunnelId: string): boolean {
  const state = ledger.stateOf(tunnelId);
  return state === "owned" || (state === "unknown" && service.isReplacingTunnels());
}

/** True if the share can move to a tunnel that a preview does not know yet, before its old tunnel is deleted. */
const willTunnelOutliveMove = (service: Service, frontDoor: FrontDoor, tunnelId: string): boolean =>
  isTunnelStaying(service, frontDoor, tunnelId) || frontDoor.tunnels.ledger.orderOf(tunnelId) === "create first";
