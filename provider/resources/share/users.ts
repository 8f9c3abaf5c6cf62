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

/** The checks of this run, by front door and tunnel. A failed one is made again. */
const checks = new WeakMap<FrontDoor, Map<string, Promise<void>>>();

/**
 * Refuses to delete the shares of a tunnel if other shares also use it: then the tunnel cannot be deleted. Reads once for all shares.
 * @throws FrontdoorError `failed` that names the others.
 */
export async function refuseIfUsed(frontDoor: FrontDoor, tunnelId: string, until: Until): Promise<void> {
  const made = checks.get(frontDoor) ?? new Map<string, Promise<void>>();
  checks.set(frontDoor, made);
  const check = made.get(tunnelId) ?? checkUsers(frontDoor, tunnelId, until);
  made.set(tunnelId, check);
  await check.catch((error: unknown) => {
    made.delete(tunnelId);
    throw error;
  });
}

async function checkUsers(frontDoor: FrontDoor, tunnelId: string, until: Until): Promise<void> {
  const { ledger } = frontDoor.shares;
  // Pulumi asks for the diff of every share of the tunnel before the first delete. So each share that goes is pending, in some process.
  const others = (await sharesOf(frontDoor, tunnelId, until)).filter(
    (share) => isPresent(share) && !ledger.isPendingInRun(share.id) && !isOrphan(frontDoor, share),
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
