import { lagMs } from "../consistency";
import { has, type Planned, UNKNOWN } from "../fields/field";
import { rules, type ShareInputs, type ShareOutputs } from "../fields/share";
import type { Context, FrontDoor } from "../run/service";
import { backoff, persist, type Until } from "../time";

/** A share before it moves. */
interface Mover {
  id: string;
  ipsecTunnelId: string;
  locationId?: string | undefined;
}

/**
 * Returns the location that a share takes when it moves: that of its new tunnel, if the program gives none, and if state or service have
 * the share at the location of its old tunnel. Undefined if the share keeps its location. @throws FrontdoorError if a read fails.
 */
export async function followedLocation(
  context: Context,
  movers: readonly Mover[],
  news: ShareInputs,
): Promise<string | undefined> {
  if (has(news, "locationId")) return undefined;
  const frontDoor = context.service.frontDoor(news.frontdoorId);
  for (const share of movers)
    if (share.ipsecTunnelId !== news.ipsecTunnelId && (await isAtItsTunnel(frontDoor, share, context)))
      return locationOf(frontDoor, news.ipsecTunnelId, context);
  return undefined;
}

/** True if a preview can tell that the share will take another location with its move. */
export async function willFollow(context: Context, share: Mover, news: Planned<ShareInputs>): Promise<boolean> {
  const { frontdoorId, ipsecTunnelId } = news;
  if (has(news, "locationId") || frontdoorId === UNKNOWN) return false;
  const frontDoor = context.service.frontDoor(frontdoorId);
  // Pulumi creates the new tunnel first only if it has another location.
  const isCreateFirst = frontDoor.tunnels.ledger.orderOf(share.ipsecTunnelId) === "create first";
  if (ipsecTunnelId === UNKNOWN) return isCreateFirst && isAtItsTunnel(frontDoor, share, context);
  return (await followedLocation(context, [share], news as ShareInputs)) !== undefined;
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

/** Returns the location of a tunnel, which never changes. Reads may not show a new tunnel for 30 s. @throws FrontdoorError. */
const locationOf = ({ tunnels, once }: FrontDoor, id: string, until: Until): Promise<string | undefined> =>
  once.do(`location of ${id}`, async () => {
    const { calls, view, clock } = tunnels;
    const listed = await view.entry(id, until);
    if (listed?.locationId !== undefined) return listed.locationId;
    const tunnel = await persist(
      clock,
      { ...until, deadlineMs: Math.min(until.deadlineMs, clock.now() + lagMs) },
      ({ error, waitedMs }) => (error === undefined ? backoff(waitedMs, clock.random()) : undefined),
      () => calls.get(id, until),
    );
    return tunnel?.locationId;
  });
