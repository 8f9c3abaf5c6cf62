import { isPresent } from "../../api/status";
import type { WireShare } from "../../api/types";
import { sameSpelling } from "../../fields/values";
import { failed, type FrontdoorError } from "../../errors";
import { tunnelInUse } from "../../messages/messages";
import type { FrontDoor } from "../../service";
import type { Until } from "../../time/clock";
import { mentioned } from "../owner";
import { isOrphan } from "./orphan";

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
 * Refuses to delete the shares of a tunnel if other shares also use it: then the tunnel cannot be deleted.
 * @throws FrontdoorError `failed` that names the others.
 */
export async function refuseIfUsed(frontDoor: FrontDoor, tunnelId: string, until: Until): Promise<void> {
  const { shares } = frontDoor;
  // Another provider process of this run may be about to delete the others.
  if (!frontDoor.isAlone()) return;
  const others = (await sharesOf(frontDoor, tunnelId, until)).filter(
    (share) =>
      isPresent(share) && ["unknown", "owned"].includes(shares.ledger.stateOf(share.id)) && !isOrphan(frontDoor, share),
  );
  if (others.length > 0) throw stillUsed(frontDoor, `IPsec tunnel ${tunnelId}`, others);
}

/** Returns the error that names the shares that keep a tunnel from being deleted. */
export const stillUsed = ({ shares: kind }: FrontDoor, label: string, shares: WireShare[]): FrontdoorError =>
  failed(
    tunnelInUse(
      label,
      shares.map((share) => mentioned(kind, share)),
    ),
  );
