import { lagMs } from "../consistency";
import { has, type Planned, UNKNOWN } from "../fields/field";
import { rules, type ShareInputs, type ShareOutputs } from "../fields/share";
import { sameSpelling } from "../fields/values";
import type { Context, FrontDoor } from "../run/service";
import { backoff, persist, type Until } from "../time";

/**
 * Returns the location that a share takes when it moves: that of its new tunnel, if the program gives none and the share has one. Undefined
 * if the share keeps its location. @throws FrontdoorError if a read fails.
 */
export async function locationAfterMove(
  context: Context,
  id: string,
  { ipsecTunnelId, locationId }: Pick<ShareOutputs, "ipsecTunnelId" | "locationId">,
  news: ShareInputs,
): Promise<string | undefined> {
  if (has(news, "locationId") || sameSpelling(news.ipsecTunnelId, ipsecTunnelId)) return undefined;
  const frontDoor = context.service.frontDoor(news.frontdoorId);
  // Lists need not show the location of a share.
  const before = locationId ?? (await frontDoor.shares.calls.get(id, context))?.locationId;
  const after = before === undefined ? undefined : await locationOf(frontDoor, news.ipsecTunnelId, context);
  return after === before ? undefined : after;
}

/** True if a preview can tell that the share will take another location with its move. */
export async function willFollow(
  context: Context,
  id: string,
  olds: ShareOutputs,
  news: Planned<ShareInputs>,
): Promise<boolean> {
  const { frontdoorId, ipsecTunnelId } = news;
  if (has(news, "locationId") || frontdoorId === UNKNOWN) return false;
  // Pulumi creates the new tunnel first only if it has another location.
  if (ipsecTunnelId === UNKNOWN)
    return (
      olds.locationId !== undefined &&
      context.service.frontDoor(frontdoorId).tunnels.ledger.orderOf(olds.ipsecTunnelId) === "create first"
    );
  return (await locationAfterMove(context, id, olds, news as ShareInputs)) !== undefined;
}

/** Returns the outputs as far as a preview knows them. A share that moves can take another location. */
export function knownOutputs(inputs: Planned<ShareInputs>, olds?: ShareOutputs): Planned<ShareOutputs> {
  const outputs = rules.knownOutputs(inputs, olds);
  const isMoving = olds !== undefined && inputs.ipsecTunnelId !== olds.ipsecTunnelId;
  return isMoving && !has(inputs, "locationId") ? { ...outputs, locationId: UNKNOWN } : outputs;
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
