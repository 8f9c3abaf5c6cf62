import { isPresent } from "../../api/status";
import type { WireTunnel } from "../../api/types";
import { failed, isConflict, problemIn } from "../../errors";
import { type Planned, UNKNOWN } from "../../fields/field";
import { acceptDeleted } from "../../inventory/acceptors";
import { placeTaken } from "../../messages/messages";
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
  if (typeof locationId !== "string" || frontdoorId === UNKNOWN) return;
  const { tunnels: kind } = service.frontDoor(frontdoorId);
  const { calls, records } = kind;
  // An id is unique only within its front door.
  const isItself = (other: string) => other === adopt || (other === id && frontdoorId === olds.frontdoorId);
  const isFromInterruptedRun = ({ name }: WireTunnel) => {
    const record = records.under(name);
    return record !== undefined && record.origin === origin;
  };
  const { entries } = await calls.list([["locationId", locationId]], until);
  for (const entry of entries) {
    if (entry.locationId !== locationId || isItself(entry.id) || isFromInterruptedRun(entry) || !isPresent(entry))
      continue;
    // A list can lag behind.
    const live = await calls.get(entry.id, until);
    if (live && isPresent(live) && live.locationId === locationId)
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
  const { tunnels: kind } = service.frontDoor(frontdoorId);
  const isThere = (tunnel: WireTunnel) => tunnel.locationId === locationId && isPresent(tunnel);
  const { entries } = await kind.calls.list([["locationId", locationId]], until).catch(() => ({ entries: [] }));
  const holder = entries.find((tunnel) => isThere(tunnel) && isForeign(kind, tunnel, name));
  // A list can lag behind.
  const live = holder && (await kind.calls.get(holder.id, until).catch(() => undefined));
  if (live && isThere(live)) throw failed(occupied(kind, tunnelLabel(name), locationId, live, name));
}

/**
 * Finds the cause of a refused create. Returns once the tunnels that are being deleted have freed the location, so that the create can be
 * sent again. @throws FrontdoorError that names the tunnel that stays there.
 */
export async function awaitLocation(
  service: Service,
  { name, locationId, frontdoorId }: TunnelInputs,
  error: unknown,
  until: Until,
): Promise<void> {
  if (!isConflict(error)) throw error;
  const { tunnels: kind } = service.frontDoor(frontdoorId);
  const { entries } = await kind.calls.list(locationId === undefined ? [] : [["locationId", locationId]], until);
  const there = entries.filter(
    (tunnel) => tunnel.status !== "DELETED" && (locationId ?? tunnel.locationId) === tunnel.locationId,
  );
  if (there.length === 0) throw error;
  const holder = there.find(isPresent);
  if (holder) {
    const message = occupied(kind, tunnelLabel(name), locationId ?? holder.locationId ?? "", holder, name);
    throw failed(`${problemIn((error as Error).message)}. ${message}`);
  }
  await Promise.all(there.map(({ id }) => kind.inventory.wait(id, acceptDeleted, until, "delete")));
}

const occupied = (
  kind: Kind<WireTunnel>,
  label: string,
  locationId: string,
  holder: WireTunnel,
  wantedBy: unknown,
): string => placeTaken(label, locationId, mentioned(kind, holder), ownerOf(kind, holder, wantedBy));
