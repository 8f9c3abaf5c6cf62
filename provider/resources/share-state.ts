import type { WireShare } from "../api/types";
import type { Kind, Service } from "../service";
import type { Until } from "../time/clock";
import type { Made } from "./lifecycle";
import { type Unfinished, unfinished } from "./outcome";
import { rules, type ShareInputs, type ShareOutputs } from "./share-inputs";
import type { Subject } from "./writes";

const label = (name: string, id: string) => `IPsec share "${name}" (${id})`;

/** The share as writes and looks speak of it. */
export const shareSubject = (
  service: Service,
  id: string,
  { name, status, frontdoorId, ipsecTunnelId }: ShareOutputs,
): Subject<WireShare> & { tunnelIds: string[] } => ({
  kind: service.frontDoor(frontdoorId).shares,
  ...{ id, label: label(name, id), status, tunnelIds: [ipsecTunnelId] },
});

/** What the state keeps of a deployed share; where a list entry does not tell all, one GET does. */
export async function deployedOutputs(
  { calls }: Kind<WireShare>,
  seen: WireShare,
  inputs: ShareInputs,
  until: Until,
): Promise<ShareOutputs> {
  const whole = rules.isPartial(seen, inputs) ? await calls.get(seen.id, until).catch(() => undefined) : undefined;
  return rules.outputsOf(whole ?? seen, { frontdoorId: inputs.frontdoorId, __set: rules.setBy(inputs) });
}

/** The state keeps what was asked for, so that the next run finds no difference but the status. */
export function unfinishedShare(
  id: string,
  inputs: ShareInputs,
  status: string,
  { why, reason }: { why: Unfinished; reason: string },
): Made<ShareOutputs> {
  const outputs = rules.outputsOf(
    { ...inputs, status },
    { frontdoorId: inputs.frontdoorId, __set: rules.setBy(inputs) },
  );
  const repair = {
    ERROR: "it sends the share once more",
    DELETED: "it creates the share anew",
    DELETING: "it creates the share anew",
  }[status];
  return unfinished(id, outputs, why, `${label(inputs.name, id)}: ${reason}`, repair);
}
