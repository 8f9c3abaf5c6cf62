import { isPresent } from "../../api/status";
import type { WireShare } from "../../api/types";
import { sameSpelling } from "../../fields/values";
import { FrontdoorError, isConflict } from "../../errors";
import { portInUse, tunnelGone } from "../../messages/messages";
import type { Service } from "../../service";
import type { Until } from "../../time/clock";
import { mentioned, ownerOf } from "../owner";
import type { ShareInputs } from "./inputs";
import { shareLabel } from "./outputs";

/**
 * Finds the cause of a refused write. Returns once a pending share has freed the port, so that the write can be sent again.
 * @throws the error, with its cause if the tunnel is gone or another share has the port.
 */
export async function awaitPort(
  service: Service,
  { name, frontdoorId, ipsecTunnelId, ingressPort }: ShareInputs,
  id: string | undefined,
  error: unknown,
  until: Until,
): Promise<void> {
  if (!isConflict(error)) throw error;
  const { trouble } = error as FrontdoorError;
  const { tunnels, shares } = service.frontDoor(frontdoorId);
  const label = shareLabel(name);
  // A read that fails leaves the refusal as it is.
  const tunnel = await tunnels.calls.get(ipsecTunnelId, until).then(
    (found) => found?.status ?? "missing",
    () => "unclear",
  );
  if (["missing", "DELETING", "DELETED"].includes(tunnel))
    throw new FrontdoorError(tunnelGone(label, ipsecTunnelId, tunnel), trouble);
  const { entries } = await shares.calls
    .list([["ipsecTunnelId", ipsecTunnelId]], until)
    .catch(() => ({ entries: [] as WireShare[] }));
  const holder = entries.find((share) => share.id !== id && usesPort(share, { ipsecTunnelId, ingressPort }));
  if (!holder) throw error;
  const isPending = shares.ledger.record("port needed", holder.id) === "wait";
  if (isPending && (await shares.ledger.awaitEnd(holder.id, until)) === undefined) return;
  const place = { label, ingressPort, tunnelId: ipsecTunnelId, holder: mentioned(shares, holder) };
  throw new FrontdoorError(portInUse(place, ownerOf(shares, holder, name)), trouble);
}

/** True if the share has this port of the tunnel, and is not being deleted. */
export const usesPort = (share: WireShare, of: Pick<ShareInputs, "ipsecTunnelId" | "ingressPort">): boolean =>
  isPresent(share) && sameSpelling(share.ipsecTunnelId, of.ipsecTunnelId) && share.ingressPort === of.ingressPort;
