import { isPresent, type Named } from "../api/wire";
import { failed, troubleOf } from "../errors";
import type { Outcome } from "../lifecycle/lifecycle";
import { adoptMissing, adoptOtherKind, idTwice, notReplaced } from "../messages";
import type { Context, FrontDoor, Kind } from "../run/service";
import type { Until } from "../time";
import { logicalName } from "./names";

/**
 * Records that the state has the id, under a resource that check has seen.
 * @throws FrontdoorError `failed` if another resource of the program also has the id.
 */
export function claimIdInState({ declarations }: Pick<Kind<Named>, "declarations">, id: string, origin: string): void {
  const other = declarations.claimInState(id, origin);
  if (other !== undefined) throw failed(idTwice(id, logicalName(origin), logicalName(other)));
}

interface Adopting {
  adopt?: string | undefined;
  name: string;
  frontdoorId: string;
}

/** A resource that the program declares, and that the state does not have. */
interface New<Wire extends Named, Inputs extends Adopting, Outputs> {
  kindOf: (frontDoor: FrontDoor) => Kind<Wire>;
  /** Names the resource in messages. */
  label: string;
  inputs: Inputs;
  isNameDerived: boolean;
  /** Brings an existing resource to the inputs, which have its name in the service. */
  adopt: (live: Wire, inputs: Inputs) => Promise<Outcome<Outputs>>;
  create: () => Promise<Outcome<Outputs>>;
}

/** Adopts the resource that `adopt` names, else creates one. @throws FrontdoorError. */
export async function adoptOrCreate<Wire extends Named, Inputs extends Adopting, Outputs>(
  context: Context,
  resource: New<Wire, Inputs, Outputs>,
): Promise<Outcome<Outputs>> {
  const kind = resource.kindOf(context.service.frontDoor(resource.inputs.frontdoorId));
  const adopted = (await findConfirmed(kind, resource, context)) ?? (await findAdopted(kind, resource, context));
  return adopted ? resource.adopt(adopted.live, adopted.inputs) : resource.create();
}

/**
 * Returns the resource that this run has already confirmed as declared. Pulumi creates it again if an earlier run failed in the middle of
 * a replacement, did not delete it (`retainOnDelete`), and the program was reverted.
 */
async function findConfirmed<Wire extends Named, Inputs extends Adopting, Outputs>(
  { ledger, declarations, calls }: Kind<Wire>,
  { label, inputs, isNameDerived }: New<Wire, Inputs, Outputs>,
  context: Context,
): Promise<{ live: Wire; inputs: Inputs } | undefined> {
  const declared = declarations.named(inputs.name);
  const id = declared && declarations.idsOf(declared.origin).find((each) => ledger.stateOf(each) === "owned");
  const live = id === undefined ? undefined : await calls.get(id, context);
  if (!live || !isPresent(live)) return undefined;
  context.service.say(notReplaced(label, live.id));
  return { live, inputs: isNameDerived ? { ...inputs, name: live.name } : inputs };
}

/**
 * Returns the resource to adopt, and the inputs with the name that it keeps. Returns undefined if there is nothing to adopt: `adopt` can
 * stay in the program after the resource was replaced. @throws FrontdoorError `failed` if the id does not exist, or shows a resource of another kind.
 */
async function findAdopted<Wire extends Named, Inputs extends Adopting, Outputs>(
  { ledger, declarations, records, calls }: Kind<Wire>,
  { label, inputs, isNameDerived }: New<Wire, Inputs, Outputs>,
  until: Until,
): Promise<{ live: Wire; inputs: Inputs } | undefined> {
  const { adopt: id, name, frontdoorId } = inputs;
  if (id === undefined) return undefined;
  const state = ledger.stateOf(id);
  // This run replaces the resource that has the id: it is leaving, or the state has it and this run does not own it. This create is the
  // second half of the replacement.
  if (state === "leaving" || (declarations.hasIdInState(id) && state !== "owned")) return undefined;
  // From here on the run owns the id. A resource that had the id before, under another name, must not delete it.
  ledger.own(id);
  const live = await calls.get(id, until).catch((error: unknown) => {
    const { paths } = { paths: [], ...troubleOf(error) };
    const missing = paths.filter((path) => path in inputs);
    throw missing.length > 0 ? failed(adoptOtherKind(label, id, missing)) : error;
  });
  if (live && isPresent(live)) {
    records.remove(live.name, id);
    return { live, inputs: isNameDerived ? { ...inputs, name: live.name } : inputs };
  }
  // The id is gone. That is an error, unless the program had this resource before: then `adopt` has done its work.
  const declared = declarations.named(name);
  if (declared && (declared.isInState || records.under(name)?.origin === declared.origin)) return undefined;
  throw failed(adoptMissing(label, id, frontdoorId, live?.status === "DELETING"));
}
