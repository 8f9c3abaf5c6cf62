import { isPresent, type Named, type WireShare, type WireTunnel } from "../api/wire";
import { failed, FrontdoorError, wordsOf } from "../errors";
import type { ShareInputs } from "../fields/share";
import type { TunnelInputs } from "../fields/tunnel";
import { sameSpelling } from "../fields/values";
import { placePending, placeTaken, portInUse, tunnelGone, tunnelNameTaken } from "../messages";
import type { Context, Kind } from "../operations/service";
import { propertyIn, refusedStep, saysOf, shareDestination, tunnelDestination } from "../operations/write";
import { backoff, isOver, type Until } from "../time";
import { acceptDeleted } from "../view/acceptors";
import { shareLabel, tunnelLabel } from "./names";

// A location has one tunnel (spec: Tunnel rule), and a port of a tunnel one share. Check refuses two resources of a program (checks.ts),
// and the service refuses all others. Here is what a refusal leads to.

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
  const holder = (await listedOn(shares, tunnelId, context)).find(
    (share) => share.id !== id && isPresent(share) && share.ingressPort === inputs.ingressPort,
  );
  const named = propertyIn(error);
  const canBePort = named === undefined || /port/i.test(named);
  if (!holder || !canBePort) throw error;
  const isLeaving = shares.ledger.record("port needed", holder.id) === "wait";
  const step = refusedStep(says, isLeaving ? "holder leaves" : "holder stays");
  if (step === "fail") throw error;
  if (step === "wait" && (await isFreed(shares, holder.id, error, context))) return;
  const holds = { ...holder, isOfProgram: isOfProgram(shares, holder, inputs.name) };
  throw new FrontdoorError(portInUse(shareLabel(inputs.name, id), inputs, holds, words), trouble);
}

/** True if the state has the resource, or the program has one of its name that is not the one that needs its place. */
const isOfProgram = <Wire extends Named>({ ledger, declarations }: Kind<Wire>, { id, name }: Named, wantedBy: string) =>
  ledger.stateOf(id) === "owned" ||
  declarations.hasIdInState(id) ||
  (name !== wantedBy && declarations.named(name) !== undefined);

/** Returns the shares on a tunnel; none if they cannot be listed. */
const listedOn = ({ calls }: Kind<WireShare>, tunnelId: string, until: Until): Promise<WireShare[]> =>
  calls.list([["ipsecTunnelId", tunnelId]], until).then(
    ({ entries }) => entries.filter((share) => sameSpelling(share.ipsecTunnelId, tunnelId)),
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
  if (step === "explain" && holder) {
    const place = locationId ?? holder.locationId ?? "";
    const holds = { ...holder, isOfProgram: isOfProgram(kind, holder, name) };
    throw failed(placeTaken(tunnelLabel(name), place, holds, words));
  }
  const namesake = !holder && /\bname/i.test(words) && (await tunnelNamed(kind, name, context));
  if (namesake) throw failed(tunnelNameTaken(tunnelLabel(name), namesake.id, words));
  if (step !== "wait") throw error;
  await Promise.all(
    there.map(async (tunnel) => {
      const waited = await kind.view.wait(tunnel.id, acceptDeleted, context);
      if (waited.now === "done") {
        noteGone(kind, tunnel.id, locationId);
        return;
      }
      const place = locationId ?? tunnel.locationId ?? "";
      const message = placePending(tunnelLabel(name), place, tunnel, waited.reason, words);
      throw isMeant(tunnel) ? new FrontdoorError(message, { kind: waited.why }) : error;
    }),
  );
}

/** Returns a tunnel with this name; undefined also if the list fails. */
const tunnelNamed = ({ calls }: Kind<WireTunnel>, name: string, until: Until): Promise<WireTunnel | undefined> =>
  calls.list([["name", name]], until).then(
    ({ entries }) => entries.find((tunnel) => isPresent(tunnel) && sameSpelling(tunnel.name, name)),
    () => undefined,
  );

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
