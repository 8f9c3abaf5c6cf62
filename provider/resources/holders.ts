import type { FrontDoor, Kind } from "../service";
import type { Named, WireShare, WireTunnel } from "../api/types";
import type { Until } from "../time/clock";
import { FrontdoorError, shown } from "../errors";
import type { Claims } from "../ownership/claims";
import type { ShareInputs } from "./share-inputs";

/** What messages call something of the service's. */
export const named = ({ name, id, status }: Named): string => `"${shown(name, 80)}" (${id}, ${shown(status, 30)})`;

/** Neither gone nor on its way out. */
export const isThere = ({ status }: { status: string }) => status !== "DELETED" && status !== "DELETING";

const deletedFirst = "set deleteBeforeReplace: true (false is also what a transform makes of it that returns options)";

/** What to do about a holder that may be the stack's own. The engine does not tell that it replaces where `--replace` asks for it. */
export const ifOwn = (claims: Claims, name: string, id: string): string =>
  claims.isReplaced(name, id)
    ? `that is the one to be replaced, which has to go first: ${deletedFirst}`
    : `if that is this resource under an earlier name, give it an alias (aliases: [{ name: "<earlier name>" }]); ` +
      `if it is its own, left by a run that failed or was interrupted, or else to be taken over, set adopt: "${id}"; ` +
      `with up --replace ${deletedFirst}`;

/** Who listens on the port that a share is refused, where that may be why. @throws FrontdoorError. */
export async function portHolder(
  { calls, claims }: Kind<WireShare>,
  { name, ipsecTunnelId, ingressPort }: ShareInputs,
  until: Until,
): Promise<string | undefined> {
  const { entries } = await calls.list([["ipsecTunnelId", ipsecTunnelId]], until);
  const holder = entries.find(
    (share) => isThere(share) && share.ipsecTunnelId === ipsecTunnelId && share.ingressPort === ingressPort,
  );
  if (!holder) return undefined;
  const port = `port ${ingressPort} of tunnel ${ipsecTunnelId}`;
  return `${port} is that of ${named(holder)}: ${ifOwn(claims, name, holder.id)}`;
}

/** The shares that a tunnel can't be deleted for as long as they are there; those on their way out too. @throws FrontdoorError. */
export async function sharesOf({ shares }: FrontDoor, tunnelId: string, until: Until): Promise<WireShare[]> {
  const filtered = (await shares.calls.list([["ipsecTunnelId", tunnelId]], until)).entries;
  // A service that does not know the filter may answer nothing: then all are looked through.
  const entries = filtered.length > 0 ? filtered : (await shares.calls.list([], until, { mostPages: 50 })).entries;
  // One that is going need not show its tunnel.
  return entries.filter((share) => [tunnelId, ""].includes(share.ipsecTunnelId) && share.status !== "DELETED");
}

/** The error that live shares are to the delete of their tunnel. */
export function stillUsed(label: string, live: WireShare[]): FrontdoorError {
  const next = "delete them or move them to another tunnel first; the tunnel stays as it is";
  return new FrontdoorError(`${label}: delete: IPsec shares still use it: ${live.map(named).join(", ")}; ${next}`, {
    kind: "failed",
  });
}

/**
 * Before the first share is deleted for the sake of its tunnel's replacement: a tunnel that other shares use will not be deleted,
 * and then its own would have gone for nothing. @throws FrontdoorError `failed` that names those.
 */
export async function refuseIfUsed(frontDoor: FrontDoor, id: string, until: Until): Promise<void> {
  const { departures, moves } = frontDoor.shares;
  const tunnelId = departures.tunnelOf(id);
  if (tunnelId === undefined) return;
  await departures.once(tunnelId, async () => {
    const others = (await sharesOf(frontDoor, tunnelId, until)).filter(
      (share) => isThere(share) && !departures.isExpected(share.id) && !moves.isExpected(share.id),
    );
    if (others.length > 0) throw stillUsed(`IPsec tunnel ${tunnelId}`, others);
  });
}

/** Tunnels at a place, as a message names them. */
export const namedPlaces = (tunnels: WireTunnel[]): string =>
  tunnels
    .slice(0, 5)
    .map((tunnel) => `${named(tunnel)} at ${shown(tunnel.locationId ?? "no location", 80)}`)
    .join(", ");
