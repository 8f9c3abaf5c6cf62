import { isPresent, type WireShare } from "../api/wire";
import { failed, FrontdoorError, wordsOf } from "../errors";
import { type Planned, UNKNOWN } from "../fields/field";
import type { ShareInputs } from "../fields/share";
import { sameSpelling } from "../fields/values";
import { portInUse, tunnelGone } from "../messages";
import { propertyIn, refusedStep, saysOf, shareDestination } from "../operations/write";
import type { Context, FrontDoor, Kind } from "../operations/service";
import { isOver, backoff, type Until } from "../time";
import { shareLabel } from "./names";
import { isForeign, mentioned, ownerOf } from "./owner";

/**
 * Finds the cause of a refused write. Returns once a pending share has freed the port, so that the write can be sent again.
 * @throws the error, with its cause if the tunnel is gone or another share has the port.
 */
export async function awaitPort(
  context: Context,
  { name, frontdoorId, ipsecTunnelId, ingressPort }: ShareInputs,
  id: string | undefined,
  error: unknown,
): Promise<void> {
  const says = saysOf(error, shareDestination);
  if (says === "for good") throw error;
  const { trouble } = error as FrontdoorError;
  const words = wordsOf(error);
  const { tunnels, shares } = context.service.frontDoor(frontdoorId);
  const label = shareLabel(name);
  // A read that fails leaves the refusal as it is.
  const tunnel = await tunnels.calls.get(ipsecTunnelId, context).then(
    (found) => found?.status ?? "missing",
    () => "unclear",
  );
  const isGone = ["missing", "DELETING", "DELETED"].includes(tunnel);
  if (isGone && refusedStep(says, "tunnel gone") === "explain")
    throw new FrontdoorError(
      tunnelGone(label, {
        ...{ frontdoorId, tunnelId: ipsecTunnelId, status: tunnel, words },
        ...{ isDeclared: tunnels.declarations.isInState(ipsecTunnelId), isNew: id === undefined },
      }),
      trouble,
    );
  const holder = (await listedOn(shares, ipsecTunnelId, context)).find(
    (share) => share.id !== id && usesPort(share, { ipsecTunnelId, ingressPort }),
  );
  if (!holder || !/port/i.test(propertyIn(error) ?? "port")) throw error;
  const isLeaving = shares.ledger.record("port needed", holder.id) === "wait";
  const step = refusedStep(says, isLeaving ? "holder leaves" : "holder stays");
  if (step === "fail") throw error;
  if (step === "wait" && (await isFreed(shares, holder.id, error, context))) return;
  const port = { label, ingressPort, tunnelId: ipsecTunnelId, holder: mentioned(shares, holder) };
  throw new FrontdoorError(portInUse(port, ownerOf(shares, holder, name), words), trouble);
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
  if (news.sinceMs("freed", id) === undefined) news.note("freed", id);
  if (!news.isRecent("freed", id)) return false;
  // A list can still show the share.
  await clock.sleep(backoff(news.sinceMs("freed", id) ?? 0, clock.random()), until.signal);
  return true;
}

/** True if the share has this port of the tunnel, and is not being deleted. */
const usesPort = (share: WireShare, of: Pick<ShareInputs, "ipsecTunnelId" | "ingressPort">): boolean =>
  isPresent(share) && sameSpelling(share.ipsecTunnelId, of.ipsecTunnelId) && share.ingressPort === of.ingressPort;

/** The shares that a preview has listed, by front door and tunnel. */
const listedShares = new WeakMap<FrontDoor, Map<string, Promise<WireShare[]>>>();

/**
 * Refuses, in a preview, a port that a share outside this stack has. Lists the shares of each tunnel once. A failed read refuses nothing.
 * @throws FrontdoorError `failed`.
 */
export async function refuseTakenPort(
  context: Context,
  { name, frontdoorId, ipsecTunnelId, ingressPort, adopt }: Planned<ShareInputs>,
): Promise<void> {
  if (frontdoorId === UNKNOWN || ipsecTunnelId === UNKNOWN || name === UNKNOWN || ingressPort === UNKNOWN) return;
  if (adopt !== undefined) return;
  const frontDoor = context.service.frontDoor(frontdoorId);
  const { shares: kind } = frontDoor;
  const lists = listedShares.get(frontDoor) ?? new Map<string, Promise<WireShare[]>>();
  listedShares.set(frontDoor, lists);
  const listed = lists.get(ipsecTunnelId) ?? listedOn(kind, ipsecTunnelId, context);
  lists.set(ipsecTunnelId, listed);
  const isHolder = (share: WireShare) => usesPort(share, { ipsecTunnelId, ingressPort });
  const holder = (await listed).find((share) => isHolder(share) && isForeign(kind, share, name));
  // A list can lag behind.
  const live = holder && (await kind.calls.get(holder.id, context).catch(() => undefined));
  if (!live || !isHolder(live) || !isForeign(kind, live, name)) return;
  const port = { label: shareLabel(name), ingressPort, tunnelId: ipsecTunnelId, holder: mentioned(kind, live) };
  throw failed(portInUse(port, "unknown"));
}
