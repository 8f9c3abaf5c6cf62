import { isPresent, type Named, type WireShare, type WireTunnel } from "../api/wire";
import { failed, FrontdoorError, wordsOf } from "../errors";
import { type Planned, UNKNOWN } from "../fields/field";
import type { ShareInputs } from "../fields/share";
import type { TunnelInputs, TunnelOutputs } from "../fields/tunnel";
import { sameSpelling } from "../fields/values";
import { placePending, placeTaken, portInUse, tunnelGone } from "../messages";
import type { Context, Kind } from "../operations/service";
import { propertyIn, refusedStep, saysOf, shareDestination, tunnelDestination } from "../operations/write";
import { backoff, isOver, type Until } from "../time";
import { acceptDeleted } from "../waiting/acceptors";
import { logicalName, shareLabel, tunnelLabel } from "./names";
import { isForeign, mentioned, ownerOf } from "./owner";

// A location has one tunnel (spec: Tunnel rule), and a port of a tunnel one share. Check refuses two resources of a program (checks.ts).

/** A location or a port, and the name of the resource that needs it. */
interface Place<Wire extends Named> {
  kind: Kind<Wire>;
  name: unknown;
  isAt: (seen: Wire) => boolean;
  /** Returns the message about the resource that is there, with the words of the service if it has refused something. */
  taken: (holder: Wire, words?: string) => string;
}

/** The change of a tunnel that already exists. */
interface Move {
  id: string;
  olds: TunnelOutputs;
  news: Planned<TunnelInputs>;
  /** The name that check returned, and the origin of the resource that has this name. */
  checkedName: unknown;
  origin: string | undefined;
}

function portPlace({ service }: Context, { name, frontdoorId, ipsecTunnelId, ingressPort }: ShareInputs) {
  const { shares: kind } = service.frontDoor(frontdoorId);
  const port = { label: shareLabel(name), ingressPort, tunnelId: ipsecTunnelId };
  const place: Place<WireShare> = {
    ...{ kind, name },
    isAt: (share) =>
      isPresent(share) && share.ingressPort === ingressPort && sameSpelling(share.ipsecTunnelId, ipsecTunnelId),
    taken: (holder, words) =>
      portInUse({ ...port, holder: mentioned(kind, holder) }, ownerOf(kind, holder, name), words),
  };
  return place;
}

function tunnelLocation(kind: Kind<WireTunnel>, locationId: string, wantedBy: unknown, move?: Move): Place<WireTunnel> {
  const label = move ? tunnelLabel(move.olds.name, move.id) : tunnelLabel(String(wantedBy));
  return {
    ...{ kind, name: wantedBy },
    isAt: (tunnel) => isPresent(tunnel) && sameSpelling(tunnel.locationId, locationId),
    taken(holder, words) {
      const { declarations } = kind;
      const known = ownerOf(kind, holder, wantedBy);
      // A diff can come before the check of the other resource.
      const owner = move && known === "this stack" && holder.name !== wantedBy ? "this program" : known;
      const declared = owner === "this program" ? declarations.holderOf(holder) : undefined;
      const claims = (location: string | undefined) =>
        location !== undefined && declarations.claimed(`location ${location}`) === declared?.origin;
      // Two tunnels cannot exchange their locations in whatever order.
      const isLeaving = !declared?.isAnywhere && !claims(locationId) && !claims(move?.olds.locationId);
      const holds = declared && { name: logicalName(declared.origin), isLeaving };
      return placeTaken(label, locationId, { ...mentioned(kind, holder), ...(holds && { holds }) }, owner, words);
    },
  };
}

/** Refuses, in a preview, a port that a share outside this stack has. @throws FrontdoorError `failed`. */
export async function refuseTakenPort(context: Context, inputs: Planned<ShareInputs>): Promise<void> {
  const { name, frontdoorId, ipsecTunnelId, ingressPort, adopt } = inputs;
  if ([name, frontdoorId, ipsecTunnelId, ingressPort].includes(UNKNOWN) || adopt !== undefined) return;
  const known = inputs as ShareInputs;
  const frontDoor = context.service.frontDoor(known.frontdoorId);
  const list = () => listedOn(frontDoor.shares, known.ipsecTunnelId, context);
  await refuseForeign(
    portPlace(context, known),
    await frontDoor.once.do(`shares on ${known.ipsecTunnelId}`, list),
    context,
  );
}

/** Refuses, in a preview, a location that a tunnel outside this stack has. @throws FrontdoorError `failed`. */
export async function refuseTakenLocation(context: Context, inputs: Planned<TunnelInputs>): Promise<void> {
  const { name, locationId, frontdoorId, adopt } = inputs;
  if (frontdoorId === UNKNOWN || name === UNKNOWN || typeof locationId !== "string" || adopt !== undefined) return;
  if (!context.service.config.isOneTunnelPerLocation) return;
  const { tunnels: kind } = context.service.frontDoor(frontdoorId);
  const { entries } = await kind.calls.list([["locationId", locationId]], context).catch(() => ({ entries: [] }));
  await refuseForeign(tunnelLocation(kind, locationId, name), entries, context);
}

/** Refuses a place that a resource outside this stack has. A failed read refuses nothing. @throws FrontdoorError `failed`. */
async function refuseForeign<Wire extends Named>(place: Place<Wire>, listed: Wire[], until: Until): Promise<void> {
  const isOthers = (each: Wire) => isForeign(place.kind, each, place.name);
  const holder = await holderOf(place, listed.filter(isOthers), until).catch(() => undefined);
  if (holder && isOthers(holder)) throw failed(place.taken(holder));
}

/** Refuses to move a tunnel to an occupied location: no order of this run's steps can free it. @throws FrontdoorError. */
export async function refuseMoveToTakenLocation(context: Context, move: Move): Promise<void> {
  const { id, olds, news, checkedName, origin } = move;
  const { locationId, frontdoorId, adopt } = news;
  if (typeof locationId !== "string" || frontdoorId === UNKNOWN || !context.service.config.isOneTunnelPerLocation)
    return;
  const { tunnels: kind } = context.service.frontDoor(frontdoorId);
  // An id is unique only within its front door.
  const isItself = (other: string) => other === adopt || (other === id && frontdoorId === olds.frontdoorId);
  const isFromInterruptedRun = ({ name }: WireTunnel) => {
    // The service can show the name in another spelling.
    const record = kind.records.under(sameSpelling(name, checkedName) ? String(checkedName) : name);
    return record !== undefined && record.origin === origin;
  };
  const { entries } = await kind.calls.list([["locationId", locationId]], context);
  const others = entries.filter((tunnel) => !isItself(tunnel.id) && !isFromInterruptedRun(tunnel));
  const place = tunnelLocation(kind, locationId, checkedName, move);
  const holder = await holderOf(place, others, context);
  if (holder) throw failed(place.taken(holder));
}

/** Returns the one of these resources that has the place. A list can lag behind. @throws FrontdoorError. */
async function holderOf<Wire extends Named>(
  { kind, isAt }: Place<Wire>,
  listed: Wire[],
  until: Until,
): Promise<Wire | undefined> {
  for (const { id } of listed.filter(isAt)) {
    const live = await kind.calls.get(id, until);
    if (live && isAt(live)) return live;
  }
  return undefined;
}

/**
 * Finds the cause of a refused write of a share. Returns once a share that leaves has freed the port, so that the write can be sent again.
 * @throws the error, with its cause if the tunnel is gone or another share has the port.
 */
export async function awaitPort(
  context: Context,
  inputs: ShareInputs,
  id: string | undefined,
  error: unknown,
): Promise<void> {
  const says = saysOf(error, shareDestination);
  if (says === "for good") throw error;
  const { frontdoorId, ipsecTunnelId: tunnelId } = inputs;
  const { trouble } = error as FrontdoorError;
  const words = wordsOf(error);
  const { tunnels, shares } = context.service.frontDoor(frontdoorId);
  // A read that fails leaves the refusal as it is.
  const status = await tunnels.calls.get(tunnelId, context).then(
    (found) => found?.status ?? "missing",
    () => "unclear",
  );
  if (["missing", "DELETING", "DELETED"].includes(status) && refusedStep(says, "tunnel gone") === "explain") {
    const known = { isDeclared: tunnels.declarations.hasIdInState(tunnelId), isNew: id === undefined };
    throw new FrontdoorError(
      tunnelGone(shareLabel(inputs.name), { frontdoorId, tunnelId, status, words, ...known }),
      trouble,
    );
  }
  const place = portPlace(context, inputs);
  const holder = (await listedOn(shares, tunnelId, context)).find((share) => share.id !== id && place.isAt(share));
  const named = propertyIn(error);
  const canBePort = named === undefined || /port/i.test(named);
  if (!holder || !canBePort) throw error;
  const isLeaving = shares.ledger.record("port needed", holder.id) === "wait";
  const step = refusedStep(says, isLeaving ? "holder leaves" : "holder stays");
  if (step === "fail") throw error;
  if (step === "wait" && (await isFreed(shares, holder.id, error, context))) return;
  throw new FrontdoorError(place.taken(holder, words), trouble);
}

/** Returns the shares on a tunnel; none if they cannot be listed. */
const listedOn = ({ calls }: Kind<WireShare>, tunnelId: string, until: Until): Promise<WireShare[]> =>
  calls.list([["ipsecTunnelId", tunnelId]], until).then(
    ({ entries }) => entries,
    () => [],
  );

/** Waits until this run has moved or deleted the share that has the port. False if it stays, or still shows after 30 s. */
async function isFreed({ clock, ledger }: Kind<WireShare>, id: string, error: unknown, until: Until): Promise<boolean> {
  if ((await ledger.awaitEnd(id, until)) !== undefined) return false;
  if (isOver(clock, until)) throw error;
  const { news } = ledger;
  if (news.sinceMs("port freed", id) === undefined) news.note("port freed", id);
  if (!news.isRecent("port freed", id)) return false;
  // A list can still show the share.
  await clock.sleep(backoff(news.sinceMs("port freed", id) ?? 0, clock.random()), until.signal);
  return true;
}

/**
 * Finds the cause of a refused create of a tunnel. Returns once the tunnels that are being deleted have freed the location, so that the
 * create can be sent again. @throws FrontdoorError in the words of the service, with the tunnel that stays there.
 */
export async function awaitLocation(
  context: Context,
  { name, locationId, frontdoorId }: TunnelInputs,
  error: unknown,
): Promise<void> {
  const says = saysOf(error, tunnelDestination);
  if (says === "for good") throw error;
  const words = wordsOf(error);
  const { tunnels: kind } = context.service.frontDoor(frontdoorId);
  // A read that fails leaves the refusal as it is.
  const listed = await tunnelsAt(kind, locationId, context).catch(() => []);
  const isMeant = (tunnel: WireTunnel) => locationId !== undefined || isNamedIn(words, tunnel);
  const isOwn = ({ id, status }: WireTunnel) => status === "DELETING" && kind.ledger.stateOf(id) === "leaving";
  const there = listed.filter((tunnel) => isMeant(tunnel) || isOwn(tunnel));
  const holder = there.find(isPresent);
  const step = refusedStep(says, holder ? "holder stays" : there.length > 0 ? "holder leaves" : "nothing more");
  if (step === "explain" && holder)
    throw failed(tunnelLocation(kind, locationId ?? holder.locationId ?? "", name).taken(holder, words));
  if (step !== "wait") throw error;
  await Promise.all(
    there.map(async (tunnel) => {
      const waited = await kind.inventory.wait(tunnel.id, acceptDeleted, context, "delete");
      if (waited.now === "done") {
        noteGone(kind, tunnel.id, locationId);
        return;
      }
      const place = locationId ?? tunnel.locationId ?? "";
      const message = placePending(tunnelLabel(name), place, mentioned(kind, tunnel), waited.reason, words);
      throw isMeant(tunnel) ? new FrontdoorError(message, { kind: waited.why }) : error;
    }),
  );
}

/** True if the words name the tunnel or its location. */
const isNamedIn = (words: string, { id, name, locationId = "" }: WireTunnel): boolean => {
  const tokens = new Set(words.split(/[^\w.:~-]+/).map((token) => token.replace(/[.:]+$/, "")));
  return [id, name, locationId].some((each) => tokens.has(each) && each !== "");
};

/** Returns the tunnels at a location, or all. A list can still show a tunnel that is gone. @throws FrontdoorError. */
async function tunnelsAt(kind: Kind<WireTunnel>, locationId: string | undefined, until: Until): Promise<WireTunnel[]> {
  const listed = async (filters: [string, string][]) => {
    const { entries } = await kind.calls.list(filters, until);
    return entries.filter(
      (tunnel) =>
        tunnel.status !== "DELETED" &&
        (locationId === undefined || sameSpelling(tunnel.locationId, locationId)) &&
        kind.ledger.news.sinceMs("gone", tunnel.id) === undefined,
    );
  };
  const there = locationId === undefined ? [] : await listed([["locationId", locationId]]);
  // A filter can miss a location that the service shows in another spelling.
  return there.length > 0 ? there : listed([]);
}

/** Stands for the location that the service chooses. No location has an empty id. */
const anyPlace = "";

/** Records that this run has deleted the tunnel at this location. */
export function noteGone({ ledger }: Kind<WireTunnel>, id: string, locationId = anyPlace): void {
  ledger.news.note("gone", id);
  for (const place of [locationId, anyPlace]) ledger.news.note("location freed", place);
}

/** True if this run has freed the location in the last 30 s, and no other tunnel is there. @throws FrontdoorError. */
export async function isFreedNow(context: Context, { frontdoorId, locationId }: TunnelInputs): Promise<boolean> {
  const { tunnels: kind } = context.service.frontDoor(frontdoorId);
  if (!kind.ledger.news.isRecent("location freed", locationId ?? anyPlace)) return false;
  const there = await tunnelsAt(kind, locationId, context);
  return locationId === undefined || !there.some(isPresent);
}
