import type { FrontDoor, Kind } from "../service";
import type { Named, WireShare, WireTunnel } from "../api/types";
import type { Until } from "../time/clock";
import { failed, FrontdoorError, isConflict, safeText } from "../errors";
import type { Claims } from "../ownership/claims";
import { firstOf } from "./changes";
import { derivedName, isBeside, isDerivedBeside, isDerivedHere } from "./origin";
import type { ShareInputs } from "./share-inputs";

/** What messages call something of the service's. */
const named = ({ name, id, status }: Named): string => `"${safeText(name, 80)}" (${id}, ${safeText(status, 30)})`;

/** True if a message may show the name: it was derived, or this run has checked a resource that has it. */
const isNameOpen = (claims: Claims, origin: string | undefined, { name }: Named): boolean =>
  claims.originOf(name) !== undefined || isDerivedBeside(origin ?? "", name);

/** The same, with its name only if that is no secret. */
const namedUnlessSecret = (claims: Claims, origin: string | undefined, entry: Named): string =>
  isNameOpen(claims, origin, entry) ? named(entry) : `${entry.id} (${safeText(entry.status, 30)})`;

/** Neither gone nor on its way out. */
export const isThere = ({ status }: { status: string }) => status !== "DELETED" && status !== "DELETING";

const deletedFirst = "set deleteBeforeReplace: true (false is also what a transform makes of it that returns options)";

/** What to do about a holder that may be the stack's own. The engine does not tell that it replaces where `--replace` asks for it. */
export const ifOwn = (claims: Claims, name: string, id: string): string =>
  claims.isOwnInState(name, id)
    ? `that is the one to be replaced, which has to go first: ${deletedFirst}`
    : `if that is this resource under an earlier name, give it an alias (aliases: [{ name: "<earlier name>" }]); ` +
      `if it is its own, left by a run that failed or was interrupted, or else to be taken over, set adopt: "${id}"; ` +
      `with up --replace ${deletedFirst}`;

/** The error with what a share is refused for, as far as that can be told: its tunnel is gone, or another one has its port. */
export async function explained(
  error: unknown,
  { tunnels, shares }: FrontDoor,
  { name, ipsecTunnelId, ingressPort }: ShareInputs,
  id: string | undefined,
  until: Until,
): Promise<unknown> {
  if (!isConflict(error)) return error;
  const { message, trouble } = error as FrontdoorError;
  const because = (why: string) => new FrontdoorError(`${message}; ${why}`, trouble);
  try {
    const tunnel = await tunnels.calls.get(ipsecTunnelId, until);
    if (!tunnel || !isThere(tunnel))
      return because(`tunnel ${ipsecTunnelId} is ${tunnel ? safeText(tunnel.status, 30) : "not there"}: ${refreshed}`);
    const { entries } = await shares.calls.list([["ipsecTunnelId", ipsecTunnelId]], until);
    const isHolder = (share: WireShare) =>
      share.id !== id && isThere(share) && share.ipsecTunnelId === ipsecTunnelId && share.ingressPort === ingressPort;
    const holder = entries.find(isHolder);
    if (!holder) return error;
    const isOpen = isNameOpen(shares.claims, shares.claims.originOf(name), holder);
    const who = isOpen ? `"${safeText(holder.name, 80)}" (${holder.id})` : holder.id;
    const what = `IPsec share "${name}": port ${ingressPort} of tunnel ${ipsecTunnelId} is used by share ${who}`;
    const next = freeing(shares, name, id, holder);
    return new FrontdoorError(`${what}. This share was not changed. ${next} [port-in-use]`, trouble);
  } catch {
    return error;
  }
}

/** What to do about the share that has the port of a share to create or, with an id, to update. */
function freeing(shares: Kind<WireShare>, name: string, id: string | undefined, holder: WireShare): string {
  if (id === undefined && shares.claims.isOwnInState(name, holder.id))
    return "To replace it, set deleteBeforeReplace: true in this resource's options.";
  const isOwnStacks = isOwn(shares, name, holder);
  if (isOfOther(shares.claims, name, holder) || (isOwnStacks && id !== undefined))
    return 'Move or remove that share first, in a separate "pulumi up".';
  return isOwnStacks
    ? `To go on with that share, set adopt: "${holder.id}" in this share's arguments.`
    : "Choose another ingressPort.";
}

/** True if another resource of the program has the share. */
const isOfOther = (claims: Claims, name: string, { id, name: other }: WireShare): boolean =>
  claims.isHeldInRun(id) || (other !== name && claims.isDeclared(other));

/** True if a record by id, or a name that can only be derived in this stack, shows that the share is the stack's own. */
function isOwn({ claims, creates }: Kind<WireShare>, name: string, holder: WireShare): boolean {
  const origin = claims.originOf(name);
  if (origin === undefined) return false;
  const begun = creates.begunAs(holder.name, holder.id);
  const isBegun = begun !== undefined && isBeside(begun.origin, origin);
  const own = [derivedName(origin), creates.nameOf(origin)];
  return isBegun || own.includes(holder.name) || isDerivedHere(origin, holder.name);
}

const refreshed = 'run "pulumi up" for the whole program, and "pulumi refresh" before it where that does not help';

/** The shares that a tunnel can't be deleted for as long as they are there; those on their way out too. @throws FrontdoorError. */
export async function sharesOf({ shares }: FrontDoor, tunnelId: string, until: Until): Promise<WireShare[]> {
  const filtered = (await shares.calls.list([["ipsecTunnelId", tunnelId]], until)).entries;
  // A service that does not know the filter may answer nothing: then all are looked through.
  const entries = filtered.length > 0 ? filtered : (await shares.calls.list([], until, { mostPages: 50 })).entries;
  // One that is going need not show its tunnel.
  return entries.filter((share) => [tunnelId, ""].includes(share.ipsecTunnelId) && share.status !== "DELETED");
}

/** True if a record of the tunnel's own stack names the share by id: an interrupted run created it, and no state holds it. */
export function isLeft({ tunnels, shares }: FrontDoor, tunnelId: string, { id, name }: WireShare): boolean {
  const origin = tunnels.claims.originInState(tunnelId);
  const begun = shares.creates.begunAs(name, id);
  return (
    origin !== undefined && begun !== undefined && isBeside(begun.origin, origin) && !shares.claims.isHeldInRun(id)
  );
}

/** True if a record of the tunnel's own stack can mean the share, but does not name its id. */
function isPerhapsLeft({ tunnels, shares }: FrontDoor, tunnelId: string, { id, name }: WireShare): boolean {
  const origin = tunnels.claims.originInState(tunnelId);
  const begun = shares.creates.perhapsBegunAs(name, id);
  return origin !== undefined && begun !== undefined && isBeside(begun.origin, origin);
}

/** The error that live shares are to the delete of their tunnel. */
export function stillUsed(frontDoor: FrontDoor, tunnelId: string, label: string, live: WireShare[]): FrontdoorError {
  const unclear = live.filter((share) => isPerhapsLeft(frontDoor, tunnelId, share)).map(({ id }) => id);
  const next =
    unclear.length === 0
      ? "Delete these shares first."
      : `An interrupted run may have created ${firstOf(unclear).join(", ")}. ` +
        'Run "pulumi up" with the tunnel unchanged: it resumes what that run created.';
  const users = firstOf(live.map(named)).join(", ");
  return failed(`${label}: IPsec shares still use it: ${users}. The tunnel stays as it is. ${next} [tunnel-in-use]`);
}

/**
 * Before the first share is deleted for the sake of its tunnel's replacement: a tunnel that other shares use will not be deleted,
 * and then its own would have gone for nothing. @throws FrontdoorError `failed` that names those.
 */
export async function refuseIfUsed(frontDoor: FrontDoor, id: string, until: Until): Promise<void> {
  const { claims, departures, moves } = frontDoor.shares;
  const tunnelId = departures.tunnelOf(id);
  if (tunnelId === undefined) return;
  await departures.once(tunnelId, async () => {
    const others = (await sharesOf(frontDoor, tunnelId, until)).filter(
      (share) =>
        isThere(share) &&
        !departures.isExpected(share.id) &&
        !moves.isExpected(share.id) &&
        !isLeft(frontDoor, tunnelId, share) &&
        !claims.isLeavingByAnother(share.id),
    );
    if (others.length > 0) throw stillUsed(frontDoor, tunnelId, `IPsec tunnel ${tunnelId}`, others);
  });
}

/** Tunnels at a place, as a message names them. */
export const namedPlaces = (claims: Claims, origin: string | undefined, tunnels: WireTunnel[]): string =>
  tunnels
    .slice(0, 5)
    .map(
      (tunnel) => `${namedUnlessSecret(claims, origin, tunnel)} at ${safeText(tunnel.locationId ?? "no location", 80)}`,
    )
    .join(", ");
