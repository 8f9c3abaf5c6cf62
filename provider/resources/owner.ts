import { isPresent, type Named, type WireShare } from "../api/wire";
import { failed, type FrontdoorError } from "../errors";
import { sameSpelling } from "../fields/values";
import { idTwice, tunnelInUse } from "../messages";
import type { FrontDoor, Kind } from "../operations/service";
import type { Until } from "../time";
import { canBeDerivedInStackOf, logicalName } from "./names";

/**
 * Records that the state has the id, under a resource that check has seen.
 * @throws FrontdoorError `failed` if another resource of the program also has the id.
 */
export function claimIdInState<Wire extends Named>(kind: Kind<Wire>, id: string, origin: string): void {
  const other = kind.declarations.claim(id, origin);
  if (other !== undefined) throw failed(idTwice(id, logicalName(origin), logicalName(other)));
  kind.declarations.addInState(id, origin);
}

/** Returns the shares on a tunnel of which this run knows nothing, and whose names are not derived in this stack. @throws FrontdoorError. */
export async function otherShares(
  { shares: { calls, declarations, ledger } }: FrontDoor,
  tunnelId: string,
  /** Of a resource of the program. */
  origin: string,
  until: Until,
): Promise<WireShare[]> {
  const { entries } = await calls.list([["ipsecTunnelId", tunnelId]], until);
  const isOwn = ({ id, name }: WireShare) =>
    ledger.stateOf(id) !== "unknown" ||
    declarations.hasIdInState(id) ||
    declarations.named(name) !== undefined ||
    canBeDerivedInStackOf(origin, name);
  return entries.filter((share) => isPresent(share) && !isOwn(share));
}

/** Returns the shares that keep a tunnel from being deleted, those in DELETING included. @throws FrontdoorError. */
export async function sharesOf({ shares }: FrontDoor, tunnelId: string, until: Until): Promise<WireShare[]> {
  const filtered = (await shares.calls.list([["ipsecTunnelId", tunnelId]], until)).entries;
  // A service that does not know the filter may return nothing.
  const entries = filtered.length > 0 ? filtered : (await shares.calls.list([], until, { mostPages: 50 })).entries;
  // A share that is being deleted need not show its tunnel.
  return entries.filter(
    ({ ipsecTunnelId, status }) =>
      (ipsecTunnelId === "" || sameSpelling(ipsecTunnelId, tunnelId)) && status !== "DELETED",
  );
}

/**
 * Refuses to delete the shares of a tunnel if other shares also use it: then the tunnel cannot be deleted. Reads once for all shares.
 * @throws FrontdoorError `failed` that names the others.
 */
export const refuseIfUsed = (frontDoor: FrontDoor, tunnelId: string, until: Until): Promise<true> =>
  frontDoor.once.do(`users of ${tunnelId}`, () => checkUsers(frontDoor, tunnelId, until));

async function checkUsers(frontDoor: FrontDoor, tunnelId: string, until: Until): Promise<true> {
  const { ledger } = frontDoor.shares;
  // Pulumi asks for the diff of every share of the tunnel before the first delete. So each share that goes is pending.
  const others = (await sharesOf(frontDoor, tunnelId, until)).filter(
    (share) => isPresent(share) && !ledger.isPending(share.id),
  );
  if (others.length > 0) throw stillUsed(`IPsec tunnel ${tunnelId}`, others);
  return true;
}

/** Returns the error that names the shares that keep a tunnel from being deleted. */
export const stillUsed = (label: string, shares: WireShare[]): FrontdoorError => failed(tunnelInUse(label, shares));
