import { isPresent, type Named, type WireShare } from "../api/wire";
import { failed, type FrontdoorError, safeText } from "../errors";
import { sameSpelling } from "../fields/values";
import { deletedWithTunnel, idTwice, type Mentioned, type Owner, tunnelInUse } from "../messages";
import { deleteOnce } from "../operations/delete";
import type { Context, FrontDoor, Kind } from "../operations/service";
import type { Until } from "../time";
import { canBeDerivedInStackOf, derivedName, isDerivedInStackOf, isSameStack, logicalName } from "./names";

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
  const declared = declarations.named(name);
  const origin = declarations.anyOrigin();
  const own = declarations.named(wantedBy);
  if (own && declarations.idsOf(own.origin).includes(id))
    return ledger.stateOf(id) === "leaving" ? "retained" : "itself";
  const hasOtherResource = name !== wantedBy && (declared !== undefined || declarations.isInState(id));
  if (ledger.stateOf(id) === "owned" || hasOtherResource) return "this program";
  if (origin === undefined) return "unknown";
  const record = records.under(name);
  const isRecorded = record?.id === id && isSameStack(record.origin, origin);
  const isOwnName = declared !== undefined && (declared.isInState || derivedName(declared.origin) === name);
  if (isRecorded || isOwnName || isDerivedInStackOf(origin, name)) return "this stack";
  return canBeDerivedInStackOf(origin, name) ? "maybe this stack" : "unknown";
}

/** True if nothing shows that this stack has the resource, so this run cannot move or delete it. `wantedBy` as in `ownerOf`. */
export const isForeign = <Wire extends Named>(kind: Kind<Wire>, entry: Named, wantedBy: string): boolean =>
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
