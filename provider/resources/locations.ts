import { isPresent, type WireTunnel } from "../api/wire";
import { failed, FrontdoorError, wordsOf } from "../errors";
import { has, type Planned, UNKNOWN } from "../fields/field";
import { rules, type ShareInputs, type ShareOutputs } from "../fields/share";
import type { TunnelInputs, TunnelOutputs } from "../fields/tunnel";
import { sameSpelling } from "../fields/values";
import { placePending, placeTaken } from "../messages";
import { refusedStep, saysOf, tunnelDestination } from "../operations/write";
import type { Context, FrontDoor, Kind } from "../operations/service";
import { backoff, persist, type Until } from "../time";
import { acceptDeleted, consistencyMs } from "../waiting/acceptors";
import { logicalName, tunnelLabel } from "./names";
import { isForeign, mentioned, ownerOf } from "./owner";

// One tunnel is allowed per front door and location (spec: Tunnel rule).

interface Move {
  id: string;
  olds: TunnelOutputs;
  news: Planned<TunnelInputs>;
  /** The name that check returned, and the origin of the resource that has this name. */
  checkedName: unknown;
  origin: string | undefined;
}

/** Refuses to move a tunnel to an occupied location: no order of this run's steps can free it. @throws FrontdoorError `failed`. */
export async function refuseMoveToTakenLocation(
  context: Context,
  { id, olds, news: { locationId, frontdoorId, adopt }, checkedName, origin }: Move,
): Promise<void> {
  if (typeof locationId !== "string" || frontdoorId === UNKNOWN || !context.service.config.isOneTunnelPerLocation)
    return;
  const { tunnels: kind } = context.service.frontDoor(frontdoorId);
  const { calls, records } = kind;
  // An id is unique only within its front door.
  const isItself = (other: string) => other === adopt || (other === id && frontdoorId === olds.frontdoorId);
  const isFromInterruptedRun = ({ name }: WireTunnel) => {
    // The service can show the name in another spelling.
    const record = records.under(
      typeof checkedName === "string" && sameSpelling(name, checkedName) ? checkedName : name,
    );
    return record !== undefined && record.origin === origin;
  };
  const { entries } = await calls.list([["locationId", locationId]], context);
  for (const entry of entries) {
    if (
      !sameSpelling(entry.locationId, locationId) ||
      isItself(entry.id) ||
      isFromInterruptedRun(entry) ||
      !isPresent(entry)
    )
      continue;
    // A list can lag behind.
    const live = await calls.get(entry.id, context);
    if (live && isPresent(live) && sameSpelling(live.locationId, locationId))
      throw failed(
        occupied(kind, tunnelLabel(olds.name, id), locationId, live, checkedName, { move: { from: olds.locationId } }),
      );
  }
}

/** Refuses, in a preview, a location that a tunnel outside this stack occupies. A failed read refuses nothing. @throws FrontdoorError. */
export async function refuseTakenLocation(
  context: Context,
  { name, locationId, frontdoorId, adopt }: Planned<TunnelInputs>,
): Promise<void> {
  if (frontdoorId === UNKNOWN || name === UNKNOWN || typeof locationId !== "string" || adopt !== undefined) return;
  if (!context.service.config.isOneTunnelPerLocation) return;
  const { tunnels: kind } = context.service.frontDoor(frontdoorId);
  const isThere = (tunnel: WireTunnel) => sameSpelling(tunnel.locationId, locationId) && isPresent(tunnel);
  const { entries } = await kind.calls.list([["locationId", locationId]], context).catch(() => ({ entries: [] }));
  const holder = entries.find((tunnel) => isThere(tunnel) && isForeign(kind, tunnel, name));
  // A list can lag behind.
  const live = holder && (await kind.calls.get(holder.id, context).catch(() => undefined));
  if (live && isThere(live)) throw failed(occupied(kind, tunnelLabel(name), locationId, live, name));
}

/** Records that this run has deleted the tunnel at this location. */
export function noteGone({ ledger }: Kind<WireTunnel>, id: string, locationId?: string): void {
  ledger.news.note("gone", id);
  for (const place of [locationId ?? anyPlace, anyPlace]) ledger.news.note("freed", place);
}

/** Stands for the location that the service chooses. No location has an empty id. */
const anyPlace = "";

/** True if this run has freed the location in the last 30 s, and no other tunnel is there. @throws FrontdoorError. */
export async function isFreedNow(context: Context, inputs: TunnelInputs): Promise<boolean> {
  const { tunnels: kind } = context.service.frontDoor(inputs.frontdoorId);
  if (!kind.ledger.news.isRecent("freed", inputs.locationId ?? anyPlace)) return false;
  const there = await tunnelsAt(kind, inputs.locationId, context);
  return inputs.locationId === undefined || !there.some(isPresent);
}

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

/**
 * Finds the cause of a refused create. Returns once the tunnels that are being deleted have freed the location, so that the create can be
 * sent again. @throws FrontdoorError in the words of the service, with the tunnel that stays there.
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
  switch (refusedStep(says, holder ? "holder stays" : there.length > 0 ? "holder leaves" : "nothing more")) {
    case "explain":
      throw holder
        ? failed(occupied(kind, tunnelLabel(name), locationId ?? holder.locationId ?? "", holder, name, { words }))
        : error;
    case "wait":
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
      return;
    default:
      throw error;
  }
}

/** True if the words name the tunnel or its location. */
const isNamedIn = (words: string, { id, name, locationId = "" }: WireTunnel): boolean => {
  const tokens = new Set(words.split(/[^\w.:~-]+/).map((token) => token.replace(/[.:]+$/, "")));
  return [id, name, locationId].some((each) => tokens.has(each) && each !== "");
};

/** `move` is the move of a tunnel that already exists. */
function occupied(
  kind: Kind<WireTunnel>,
  label: string,
  locationId: string,
  holder: WireTunnel,
  wantedBy: unknown,
  { words, move }: { words?: string; move?: { from: string | undefined } } = {},
): string {
  const known = ownerOf(kind, holder, wantedBy);
  // A diff does not come from `--replace`, and can come before the check of the other resource.
  const inStack = holder.name === wantedBy ? "previous" : "this program";
  const owner = move && known === "this stack" ? inStack : known;
  const { declarations } = kind;
  const declared = owner === "this program" ? declarations.holderOf(holder) : undefined;
  const origin = declared?.origin;
  const isLeaving =
    declared !== undefined && !declared.isAnywhere && declarations.claimed(`location ${locationId}`) !== origin;
  // Two tunnels cannot exchange their locations in whatever order.
  const isExchange = move?.from !== undefined && declarations.claimed(`location ${move.from}`) === origin;
  const holds = origin && { name: logicalName(origin), isLeaving: isLeaving && !isExchange };
  return placeTaken(label, locationId, { ...mentioned(kind, holder), ...(holds && { holds }) }, owner, words);
}

/** A share before it moves. */
interface Mover {
  id: string;
  ipsecTunnelId: string;
  locationId?: string | undefined;
}

/** The locations of tunnels that this run has read. A tunnel never changes its location. */
const known = new WeakMap<FrontDoor, Map<string, Promise<string | undefined>>>();

/**
 * Returns the location that a share takes when it moves: that of its new tunnel, if the program gives none and the share has the location
 * of its old tunnel. Returns undefined if the share keeps its location. @throws FrontdoorError if a read fails.
 */
export async function followedLocation(context: Context, share: Mover, news: ShareInputs): Promise<string | undefined> {
  if (has(news, "locationId") || share.ipsecTunnelId === news.ipsecTunnelId) return undefined;
  const frontDoor = context.service.frontDoor(news.frontdoorId);
  if (!(await isAtItsTunnel(frontDoor, share, context))) return undefined;
  return locationOf(frontDoor, news.ipsecTunnelId, context);
}

/** True if a preview can tell that the share will take another location with its move. */
export async function willFollow(context: Context, share: Mover, news: Planned<ShareInputs>): Promise<boolean> {
  const { frontdoorId, ipsecTunnelId } = news;
  if (has(news, "locationId") || frontdoorId === UNKNOWN) return false;
  const frontDoor = context.service.frontDoor(frontdoorId);
  // Pulumi creates the new tunnel first only if it has another location.
  const isCreateFirst = frontDoor.tunnels.ledger.orderOf(share.ipsecTunnelId) === "create first";
  if (ipsecTunnelId === UNKNOWN) return isCreateFirst && (await isAtItsTunnel(frontDoor, share, context));
  return (await followedLocation(context, share, news as ShareInputs)) !== undefined;
}

/** Returns the outputs as far as a preview knows them. A share that moves can take another location. */
export function knownOutputs(inputs: Planned<ShareInputs>, olds?: ShareOutputs): Planned<ShareOutputs> {
  const outputs = rules.knownOutputs(inputs, olds);
  const isMoving = olds !== undefined && inputs.ipsecTunnelId !== olds.ipsecTunnelId;
  return isMoving && !has(inputs, "locationId") ? { ...outputs, locationId: UNKNOWN } : outputs;
}

/** True if a share has the location of its tunnel. Lists need not show the location of a share. */
async function isAtItsTunnel(frontDoor: FrontDoor, share: Mover, until: Until): Promise<boolean> {
  const location = share.locationId ?? (await frontDoor.shares.calls.get(share.id, until))?.locationId;
  return location !== undefined && location === (await locationOf(frontDoor, share.ipsecTunnelId, until));
}

/** Returns the location of a tunnel. Reads may not show a new tunnel for 30 s. @throws FrontdoorError. */
function locationOf(frontDoor: FrontDoor, id: string, until: Until): Promise<string | undefined> {
  const locations = known.get(frontDoor) ?? new Map<string, Promise<string | undefined>>();
  known.set(frontDoor, locations);
  const read = locations.get(id) ?? readLocation(frontDoor, id, until);
  locations.set(id, read);
  const forget = () => locations.delete(id);
  read.then((location) => location ?? forget(), forget);
  return read;
}

async function readLocation({ tunnels }: FrontDoor, id: string, until: Until): Promise<string | undefined> {
  const { calls, inventory, clock } = tunnels;
  const listed = await inventory.entry(id, until);
  if (listed?.locationId !== undefined) return listed.locationId;
  const visibleBy = { ...until, deadlineMs: Math.min(until.deadlineMs, clock.now() + consistencyMs) };
  const tunnel = await persist(
    clock,
    visibleBy,
    ({ error, waitedMs }) => (error === undefined ? backoff(waitedMs, clock.random()) : undefined),
    () => calls.get(id, until),
  );
  return tunnel?.locationId;
}
