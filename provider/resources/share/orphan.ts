import type { WireShare } from "../../api/types";
import { deletedWithTunnel } from "../../messages/messages";
import { deleteOnce } from "../../operations/delete";
import type { FrontDoor, Service } from "../../service";
import type { Until } from "../../time/clock";
import { isSameStack } from "../names";

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
  { say }: Service,
  { shares: kind }: FrontDoor,
  { id, name, status, ipsecTunnelId }: WireShare,
  until: Until,
): Promise<void> {
  say(deletedWithTunnel(id));
  await deleteOnce({ kind, id, label: `IPsec share ${id}`, status, tunnelIds: [ipsecTunnelId] }, until);
  kind.records.remove(name, id);
}
