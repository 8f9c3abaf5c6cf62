import type { WireShare } from "../../api/types";
import { FrontdoorError } from "../../errors";
import { given, has, pick } from "../../fields/field";
import { deadline, shareGone, unfinishedResource } from "../../messages/messages";
import type { Subject } from "../../operations/find";
import type { Kind, Service } from "../../service";
import type { Until } from "../../time/clock";
import type { Outcome } from "../lifecycle";
import { rules, type ShareInputs, type ShareOutputs } from "./inputs";

/** Names a share in messages. A share without an id is not created yet. */
export const shareLabel = (name: string, id?: string): string =>
  `IPsec share "${name}"${id === undefined ? "" : ` (${id})`}`;

export const shareSubject = (
  service: Service,
  id: string,
  { name, status, frontdoorId, ipsecTunnelId }: ShareOutputs,
): Subject<WireShare> & { tunnelIds: string[] } => ({
  kind: service.frontDoor(frontdoorId).shares,
  ...{ id, label: shareLabel(name, id), status, tunnelIds: [ipsecTunnelId] },
});

/** Returns the outputs of a deployed share. If a list entry lacks a known field, one GET completes it, or the known value holds. */
export async function deployedOutputs(
  { calls }: Kind<WireShare>,
  seen: WireShare,
  inputs: ShareInputs,
  until: Until,
  known: Partial<WireShare> = inputs,
): Promise<ShareOutputs> {
  const whole = rules.isPartial(seen, known) ? await calls.get(seen.id, until).catch(() => undefined) : undefined;
  const unseen = rules.mayLack.filter((name) => !has(seen, name));
  return rules.outputsOf(whole ?? { ...seen, ...pick(known, unseen) }, {
    frontdoorId: inputs.frontdoorId,
    __set: rules.setBy(inputs),
  });
}

/** Returns a share that is not ready. The state gets its id and the inputs, so the next run finds only the status different. */
export function unfinishedShare(
  id: string,
  inputs: ShareInputs,
  status: string,
  { why, reason }: { why: "failed" | "timed-out"; reason: string },
  /** What the state has besides the inputs. */
  more: Partial<ShareOutputs> = {},
): Outcome<ShareOutputs> {
  const { frontdoorId, name } = inputs;
  const outputs = {
    ...rules.outputsOf({ ...inputs, status }, { frontdoorId, __set: rules.setBy(inputs) }),
    ...given(more),
  };
  return {
    id,
    outputs,
    unfinished: new FrontdoorError(messageOf(shareLabel(name, id), status, why, reason), { kind: why }),
  };
}

function messageOf(label: string, status: string, why: "failed" | "timed-out", reason: string): string {
  switch (status) {
    case "ERROR":
      return unfinishedResource(label, reason, "send the share again", "share-error");
    case "DELETING":
    case "DELETED":
      return shareGone(label, reason);
    default:
      return why === "timed-out"
        ? deadline(label, reason)
        : unfinishedResource(label, reason, "continue from there", "share-incomplete");
  }
}
