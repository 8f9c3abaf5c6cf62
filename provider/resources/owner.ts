import { isPresent, type Named, type WireShare } from "../api/wire";
import { failed, type FrontdoorError, safeText } from "../errors";
import { sameSpelling } from "../fields/values";
import { deletedWithTunnel, idTwice, type Mentioned, type Owner, tunnelInUse } from "../messages";
import { deleteOnce } from "../operations/delete";
import type { Context, FrontDoor, Kind } from "../operations/service";
import type { Until } from "../time";
import { canBeDerivedInStackOf, isSameStack, logicalName } from "./names";

/** Returns the resource as messages name it: with its name only if the name cannot be a secret. */
export function mentioned<Wire extends Named>({ declarations }: Kind<Wire>, { id, name }: Named): Mentioned {
  const isOpen = declarations.named(name) !== undefined || canBeDerivedInStackOf(declarations.anyOrigin() ?? "", name);
  return { id, name: isOpen ? safeText(name, 80) : undefined };
}

/** Returns the owner of a resource, as far as this run knows it. `wantedBy` is the name of the resource that needs its place. */
export function ownerOf<Wire extends Named>(
  { ledger, declarations, records }: Kind<Wire>,
  { id, name }: Named,
  wantedBy: unknown,
): Owner {
  const own = declarations.named(wantedBy);
  if (own && declarations.idsOf(own.origin).includes(id))
    return ledger.stateOf(id) === "leaving" ? "retained" : "itself";
  const declared = declarations.named(name);
  const hasOtherResource = name !== wantedBy && (declared !== undefined || declarations.hasIdInState(id));
  if (ledger.stateOf(id) === "owned" || hasOtherResource) return "this program";
  const origin = declarations.anyOrigin();
  const record = records.under(name);
  const isRecorded = record?.id === id && isSameStack(record.origin, origin ?? "");
  return declared?.isInState || isRecorded || canBeDerivedInStackOf(origin ?? "", name) ? "this stack" : "unknown";
}

/** True if nothing shows that this stack has the resource, so this run cannot move or delete it. `wantedBy` as in `ownerOf`. */
export const isForeign = <Wire extends Named>(kind: Kind<Wire>, entry: Named, wantedBy: unknown): boolean =>
  !sameSpelling(entry.name, wantedBy) &&
  !kind.declarations.isLeaving(entry.name) &&
  kind.ledger.stateOf(entry.id) === "unknown" &&
  ownerOf(kind, entry, wantedBy) === "unknown";

/**
 * Records that the state has the id, under a resource that check has seen.
 * @throws FrontdoorError `failed` if another resource of the program also has the id.
 */
export function claimIdInState<Wire extends Named>(kind: Kind<Wire>, id: string, origin: string): void {
  const other = kind.declarations.claim(id, origin);
  if (other !== undefined) throw failed(idTwice(id, logicalName(origin), logicalName(other)));
  kind.declarations.addInState(id, origin);
}

/** True if a creation record of this stack names the share by id: an interrupted run created it, and no state has it. */
export function isOrphan({ tunnels, shares }: FrontDoor, { id, name }: WireShare): boolean {
  const origin = tunnels.declarations.anyOrigin();
  const record = shares.records.under(name);
  return (
    origin !== undefined &&
    record?.id === id &&
    isSameStack(record.origin, origin) &&
    shares.ledger.stateOf(id) === "unknown"
  );
}

/** Deletes an orphan, because its tunnel is deleted, and says so. */
export async function deleteOrphan(
  context: Context,
  { shares: kind }: FrontDoor,
  { id, name, status, ipsecTunnelId }: WireShare,
): Promise<void> {
  context.service.say(deletedWithTunnel(id));
  await deleteOnce({ kind, id, label: `IPsec share ${id}`, status, tunnelIds: [ipsecTunnelId] }, context);
  kind.records.remove(name, id);
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
    (share) => isPresent(share) && !ledger.isPending(share.id) && !isOrphan(frontDoor, share),
  );
  if (others.length > 0) throw stillUsed(frontDoor, `IPsec tunnel ${tunnelId}`, others);
  return true;
}

/** Returns the error that names the shares that keep a tunnel from being deleted. */
export const stillUsed = ({ shares: kind }: FrontDoor, label: string, shares: WireShare[]): FrontdoorError =>
  failed(
    tunnelInUse(
      label,
      shares.map((share) => mentioned(kind, share)),
    ),
  );
