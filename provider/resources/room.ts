import { type Planned, UNKNOWN } from "../fields/field";
import type { Kind, Service } from "../service";
import type { WireTunnel } from "../api/types";
import type { Until } from "../time/clock";
import { failed, isConflict } from "../errors";
import { ifOwn, isThere, namedPlaces } from "./holders";
import { judgeDeleted } from "./judge";
import { derivedName } from "./origin";
import type { TunnelInputs, TunnelOutputs } from "./tunnel-inputs";

interface Move {
  id: string;
  label: string;
  from: TunnelOutputs;
  to: Planned<TunnelInputs>;
  /** Organization and URN, where they are known. */
  origin: string | undefined;
}

/**
 * A tunnel moves only to a place that is free: what is there goes at the end of the run at the earliest, and only if everything
 * else has succeeded, the move included. What is on its way out already is no hindrance, nor is what an interrupted move has made.
 * @throws FrontdoorError that names what is there, and what to do first.
 */
export async function refuseIfTaken(
  service: Service,
  { id, label, from, to: { name, locationId, frontdoorId, adopt }, origin = "" }: Move,
  until: Until,
): Promise<void> {
  if (typeof locationId !== "string" || frontdoorId === UNKNOWN) return;
  const { calls, claims, creates } = service.frontDoor(frontdoorId).tunnels;
  // Ids are only unique within a front door.
  const isItself = ({ id: other }: WireTunnel) => other === adopt || (other === id && frontdoorId === from.frontdoorId);
  // A replacement goes by the name derived or proposed now, whatever the old one is called.
  const isNamed = (tunnel: WireTunnel) => [name, derivedName(origin), creates.nameOf(origin)].includes(tunnel.name);
  const isFromInterruptedRun = (tunnel: WireTunnel) =>
    isNamed(tunnel) && (creates.find(tunnel.name, origin) !== undefined || service.config.takeOver === "alike");
  const isInTheWay = (tunnel: WireTunnel | undefined) =>
    tunnel !== undefined &&
    isThere(tunnel) &&
    tunnel.locationId === locationId &&
    !isItself(tunnel) &&
    !isFromInterruptedRun(tunnel);
  const { entries } = await calls.list([["locationId", locationId]], until);
  const listed = entries.filter(isInTheWay);
  // A list may lag behind.
  const shown = await Promise.all(listed.map((tunnel) => calls.get(tunnel.id, until)));
  const holders = listed.filter((_, at) => isInTheWay(shown[at]));
  if (holders.length === 0) return;
  const what = `${label}: it can't move to ${locationId}: ${rule}, and there is ${namedPlaces(claims, origin, holders)}`;
  // Advice to adopt is for what can be its own: never for another tunnel of the program.
  const own = holders.find(isNamed);
  const takeOver = own
    ? `if it is this tunnel's own, left by a run that failed or was interrupted, set adopt: "${own.id}" to go on with it; else `
    : "";
  throw failed(`${what}; nothing was changed: ${takeOver}${firstOfAll}`);
}

const rule = "one tunnel is allowed per front door and location";
const leaving =
  'if the program no longer declares it, run "pulumi up" without this one first: it goes at the end of a run';
const firstOfAll =
  'move or remove that one first, in an "up" of its own (pulumi up --target <its URN> --target-dependents, or this one\'s locationId as it was), ' +
  "then this one; of tunnels that change places in a circle one has to go to a free location first";

/**
 * Where a tunnel create was refused since its place is taken (spec: one tunnel per front door and location): returns once what is
 * there and on its way out has gone.
 * @throws FrontdoorError that names what stays there.
 */
export async function awaitRoom(
  kind: Kind<WireTunnel>,
  { name, locationId }: { name: string; locationId?: string | undefined },
  error: unknown,
  until: Until,
): Promise<void> {
  if (!isConflict(error)) throw error;
  const { entries } = await kind.calls.list(locationId === undefined ? [] : [["locationId", locationId]], until);
  const there = entries.filter(
    (tunnel) => tunnel.status !== "DELETED" && (locationId ?? tunnel.locationId) === tunnel.locationId,
  );
  const [first] = there;
  if (!first) throw error;
  if (there.every((tunnel) => tunnel.status === "DELETING")) {
    await Promise.all(there.map((tunnel) => kind.inventory.wait(tunnel.id, judgeDeleted, until, "delete")));
    return;
  }
  // Another resource of this program is none to be taken over.
  const isOthers = there.some((tunnel) => tunnel.name !== name && kind.claims.originOf(tunnel.name) !== undefined);
  const elsewhere = "if that is why, choose another locationId";
  const own = ifOwn(kind.claims, name, first.id);
  const remedy = kind.claims.isOwnInState(name, first.id)
    ? own
    : isOthers
      ? `${elsewhere}, or ${firstOfAll}`
      : `${elsewhere}; ${leaving}; ${own}`;
  const named = namedPlaces(kind.claims, kind.claims.originOf(name), there);
  throw failed(`${(error as Error).message}; ${rule}, and there is ${named}: ${remedy}`);
}
