import { hasEnded, type Named } from "../api/wire";
import { asReason, failed, FrontdoorError } from "../errors";
import type { Planned } from "../fields/field";
import type { StateBase, Rules } from "../fields/rules";
import type { Imported, Lifecycle, Outcome, Timeouts } from "../lifecycle/contract";
import { deadline, differencesOf, importIdWrong, noneOfThisId, unfinishedResource, valueDiffers } from "../messages";
import type { Context, FrontDoor, Kind, Service } from "../run/service";
import type { Readable } from "./adopt";
import { checkedBy } from "./checks";
import { type Checkable, wrongIn } from "./given";
import { labelled } from "./names";

/** A kind of resource that Frontdoor creates and deletes, and that its name identifies. */
export interface Type<Outputs extends StateBase> extends Checkable {
  /** The words for it in messages, such as "IPsec tunnel". */
  words: string;
  kind: (frontDoor: FrontDoor) => Pick<Kind<Named>, "noteName" | "register" | "records"> & Readable;
  rules: Rules<Outputs>;
  timeouts: Timeouts;
}

/** The operations of a lifecycle that follow from the table of a resource's fields. */
export function fromTable<
  Inputs extends { frontdoorId?: unknown; name?: unknown; adopt?: unknown },
  Outputs extends StateBase & { name: string; status: string },
>(service: Service, { rules, timeouts, words, ...type }: Type<Outputs>) {
  return {
    label: ({ name }, id) => labelled(words)(String(name), id),
    timeoutsOf: () => timeouts,
    check: (declaration) => checkedBy<Inputs>(service, declaration, type),
    wrongIn: wrongIn(type),
    knownOutputs: (inputs: Planned<Inputs>, state) => rules.knownOutputs(inputs, state),
    idsIn: (id, state) => [
      { kind: type.kind(service.frontDoor(state.frontdoorId)), id, label: labelled(words)(state.name, id), state },
    ],
    imported: (id) => imported(service, rules, words, id),
    inputsOf: (outputs) => rules.inputsOf(outputs),
  } satisfies Partial<Lifecycle<Inputs, Outputs>>;
}

/** Returns what the read of an import starts from. @throws FrontdoorError `failed` if the id is malformed. */
export function imported<Outputs extends StateBase>(
  { config }: Service,
  rules: Pick<Rules<Outputs>, "blank">,
  words: string,
  id: string,
): Imported<Outputs> {
  const [ownId = "", frontdoorId = config.frontdoorId ?? "", ...more] = id.split("/").reverse();
  if (more.length > 0) throw failed(importIdWrong(id));
  return { id: ownId, state: rules.blank(frontdoorId), missing: noneOfThisId(`${words} ${ownId}`, frontdoorId) };
}

/**
 * Returns a resource that is DEPLOYED: unfinished if a field that was sent (`fields`, else all) shows another value. A line tells of the
 * others that differ. The state has what is shown.
 */
export function asShown<Outputs extends StateBase>(
  of: { label: string; canUpdate: boolean; context: Context; fields?: readonly string[] | undefined },
  { id, outputs }: Outcome<Outputs>,
  sent: object,
  differing: readonly string[],
): Outcome<Outputs> {
  const { label, canUpdate, context, fields = differing } = of;
  const messageOf = (names: string[]) =>
    valueDiffers(label, differencesOf(names, outputs, sent, context.secrets), !canUpdate);
  const others = differing.filter((name) => !fields.includes(name));
  const written = differing.filter((name) => fields.includes(name));
  if (others.length > 0) context.service.say(messageOf(others));
  if (written.length === 0) return { id, outputs };
  return { id, outputs, unfinished: failed(messageOf(written)) };
}

/** Why a resource is not ready. */
export interface Unready {
  why: "failed" | "timed-out";
  reason: string;
  isAgain?: boolean;
}

/** Returns the error of an operation as the reason. */
export const failedBy = (error: unknown): Unready => ({ why: "failed", reason: asReason((error as Error).message) });

/** Returns the error of a resource that is not ready, and whose id is in the state. `repair` is what the next run does after a failure. */
export function notReady(
  { label, repair, codes }: { label: string; repair: string; codes: { ended: string; incomplete: string } },
  status: string,
  { why, reason, isAgain }: Unready,
): FrontdoorError {
  const message = hasEnded({ status })
    ? unfinishedResource(label, reason, repair, codes.ended)
    : why === "timed-out"
      ? deadline(label, reason, isAgain)
      : unfinishedResource(label, reason, "continue from there", codes.incomplete);
  return new FrontdoorError(message, { kind: why });
}
