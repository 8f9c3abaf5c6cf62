import { isPresent } from "../../api/status";
import type { WireTunnel } from "../../api/types";
import { failed, FrontdoorError, wordsOf } from "../../errors";
import { type Planned, UNKNOWN } from "../../fields/field";
import { sameSpelling } from "../../fields/values";
import { acceptDeleted } from "../../inventory/acceptors";
import { placePending, placeTaken } from "../../messages/refusals";
import { refusedStep, saysOf, tunnelPlace } from "../../operations/refused-step";
import type { Kind, Service } from "../../service";
import type { Until } from "../../time/clock";
import { isForeign, mentioned, ownerOf } from "../owner";
import type { TunnelInputs, TunnelOutputs } from "./inputs";
import { tunnelLabel } from "./outputs";

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
export async function refuseIfOccupied(
  service: Service,
  { id, olds, news: { locationId, frontdoorId, adopt }, checkedName, origin }: Move,
  until: Until,
): Promise<void> {
  if (typeof locationId !== "string" || frontdoorId === UNKNOWN || !service.config.isOneTunnelPerLocation) return;
  const { tunnels: kind } = service.frontDoor(frontdoorId);
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
  const { entries } = await calls.list([["locationId", locationId]], until);
  for (const entry of entries) {
    if (
      !sameSpelling(entry.locationId, locationId) ||
      isItself(entry.id) ||
      isFromInterruptedRun(entry) ||
      !isPresent(entry)
    )
      continue;
    // A list can lag behind.
    const live = await calls.get(entry.id, until);
    if (live && isPresent(live) && sameSpelling(live.locationId, locationId))
      throw failed(occupied(kind, tunnelLabel(olds.name, id), locationId, live, checkedName));
  }
}

/** Refuses, in a preview, a location that a tunnel outside this stack occupies. A failed read refuses nothing. @throws FrontdoorError. */
export async function refuseTakenLocation(
  service: Service,
  { name, locationId, frontdoorId, adopt }: Planned<TunnelInputs>,
  until: Until,
): Promise<void> {
  if (frontdoorId === UNKNOWN || name === UNKNOWN || typeof locationId !== "string" || adopt !== undefined) return;
  if (!service.config.isOneTunnelPerLocation) return;
  const { tunnels: kind } = service.frontDoor(frontdoorId);
  const isThere = (tunnel: WireTunnel) => sameSpelling(tunnel.locationId, locationId) && isPresent(tunnel);
  const { entries } = await kind.calls.list([["locationId", locationId]], until).catch(() => ({ entries: [] }));
  const holder = entries.find((tunnel) => isThere(tunnel) && isForeign(kind, tunnel, name));
  // A list can lag behind.
  const live = holder && (await kind.calls.get(holder.id, until).catch(() => undefined));
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
export async function isFreedNow(service: Service, inputs: TunnelInputs, until: Until): Promise<boolean> {
  const { tunnels: kind } = service.frontDoor(inputs.frontdoorId);
  if (!kind.ledger.news.isRecent("freed", inputs.locationId ?? anyPlace)) return false;
  const there = await tunnelsAt(kind, inputs.locationId, until);
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
  service: Service,
  { name, locationId, frontdoorId }: TunnelInputs,
  error: unknown,
  until: Until,
): Promise<void> {
  const says = saysOf(error, tunnelPlace);
  if (says === "for good") throw error;
  const words = wordsOf(error);
  const { tunnels: kind } = service.frontDoor(frontdoorId);
  // A read that fails leaves the refusal as it is.
  const listed = await tunnelsAt(kind, locationId, until).catch(() => []);
  const isMeant = (tunnel: WireTunnel) => locationId !== undefined || isNamedIn(words, tunnel);
  const isOwn = ({ id, status }: WireTunnel) => status === "DELETING" && kind.ledger.stateOf(id) === "leaving";
  const there = listed.filter((tunnel) => isMeant(tunnel) || isOwn(tunnel));
  const holder = there.find(isPresent);
  switch (refusedStep(says, holder ? "holder stays" : there.length > 0 ? "holder leaves" : "nothing more")) {
    case "explain":
      throw holder
        ? failed(occupied(kind, tunnelLabel(name), locationId ?? holder.locationId ?? "", holder, name, words))
        : error;
    case "wait":
      await Promise.all(
        there.map(async (tunnel) => {
          const waited = await kind.inventory.wait(tunnel.id, acceptDeleted, until, "delete");
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

const occupied = (
  kind: Kind<WireTunnel>,
  label: string,
  locationId: string,
  holder: WireTunnel,
  wantedBy: unknown,
  words?: string,
): string => placeTaken(label, locationId, mentioned(kind, holder), ownerOf(kind, holder, wantedBy), words);
