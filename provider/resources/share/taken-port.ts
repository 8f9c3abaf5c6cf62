import type { WireShare } from "../../api/types";
import { failed } from "../../errors";
import { type Planned, UNKNOWN } from "../../fields/field";
import { portInUse } from "../../messages/refusals";
import type { Service } from "../../service";
import type { Until } from "../../time/clock";
import { isForeign, mentioned } from "../owner";
import type { ShareInputs } from "./inputs";
import { shareLabel } from "./outputs";
import { usesPort } from "./port";

type Refuse = (inputs: Planned<ShareInputs>, until: Until) => Promise<void>;

/**
 * Returns a check for previews: it refuses a port that a share outside this stack has. It lists the shares of each tunnel once. A failed
 * read refuses nothing.
 */
export function takenPorts(service: Service): Refuse {
  const lists = new Map<string, Promise<WireShare[]>>();
  return async ({ name, frontdoorId, ipsecTunnelId, ingressPort, adopt }, until) => {
    if (frontdoorId === UNKNOWN || ipsecTunnelId === UNKNOWN || name === UNKNOWN || ingressPort === UNKNOWN) return;
    if (adopt !== undefined) return;
    const { shares: kind } = service.frontDoor(frontdoorId);
    const key = `${frontdoorId} ${ipsecTunnelId}`;
    const listed =
      lists.get(key) ??
      kind.calls.list([["ipsecTunnelId", ipsecTunnelId]], until).then(
        ({ entries }) => entries,
        () => [],
      );
    lists.set(key, listed);
    const isHolder = (share: WireShare) => usesPort(share, { ipsecTunnelId, ingressPort });
    const holder = (await listed).find((share) => isHolder(share) && isForeign(kind, share, name));
    // A list can lag behind.
    const live = holder && (await kind.calls.get(holder.id, until).catch(() => undefined));
    if (!live || !isHolder(live) || !isForeign(kind, live, name)) return;
    const place = { label: shareLabel(name), ingressPort, tunnelId: ipsecTunnelId, holder: mentioned(kind, live) };
    throw failed(portInUse(place, "unknown"));
  };
}
