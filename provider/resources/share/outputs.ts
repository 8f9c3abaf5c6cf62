import type { WireShare } from "../../api/types";
import { FrontdoorError } from "../../errors";
import { given, has, pick } from "../../fields/field";
import { deadline, shareGone, unfinishedResource } from "../../messages/messages";
import type { Subject } from "../../operations/find";
import type { Kind, Service } from "../../service";
import type { Until } from "../../time/clock";
import type { Outcome } from "../lifecycle";
import { changedFields, rules, type ShareInputs, type ShareOutputs } from "./inputs";

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
  update?: Update,
): Promise<ShareOutputs> {
  const whole = rules.isPartial(seen, known) ? await calls.get(seen.id, until).catch(() => undefined) : undefined;
  const __shown = spellingsOf(whole ?? seen, inputs, update);
  const unseen = rules.mayLack.filter((name) => !has(seen, name));
  const shown = whole ?? { ...seen, ...pick({ ...known, ...__shown }, unseen) };
  const { status } = update?.olds ?? seen;
  const sent = { ...inputs, status, __set: rules.setBy(inputs), __shown };
  return rules.outputsOf(shown, sent);
}

/** An update in which the share was written: the state before it, and the fields that it wrote. */
export interface Update {
  olds: ShareOutputs;
  written: readonly string[];
}

/** Returns what the service shows for arguments in another spelling: for the written ones now, for the others as the state notes it. */
export function spellingsOf(
  seen: Partial<WireShare> | undefined,
  inputs: ShareInputs,
  update?: Update,
): Record<string, unknown> | undefined {
  const { __shown = {} } = update?.olds ?? {};
  const changed = update ? changedFields(update.olds, inputs) : [];
  const kept = Object.entries(__shown).filter(([name]) => !changed.includes(name));
  const spellings = { ...Object.fromEntries(kept), ...rules.shownFor(seen ?? {}, inputs, update?.written) };
  return Object.keys(spellings).length > 0 ? spellings : undefined;
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
