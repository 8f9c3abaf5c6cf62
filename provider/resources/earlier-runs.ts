import { isPresent, type Named } from "../api/wire";
import { failed, troubleOf } from "../errors";
import { keyed, type Outcome } from "../lifecycle/lifecycle";
import { adoptMissing, adoptOtherKind, notReplaced, staleRecord } from "../messages";
import { find, type Subject } from "../operations/find";
import type { Context, FrontDoor, Kind, Service } from "../operations/service";
import type { Until } from "../time";
import { originInSet } from "./names";

// What earlier runs, or somebody else, have left in the service: a resource to adopt, one that is half replaced, creation records.

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

/** Adopts the resource that `adopt` names, else creates one. Then reports the stale creation records of this resource. @throws FrontdoorError. */
export async function adoptOrCreate<Wire extends Named, Inputs extends Adopting, Outputs>(
  context: Context,
  resource: New<Wire, Inputs, Outputs>,
): Promise<Outcome<Outputs>> {
  const { kindOf, label, inputs } = resource;
  const kind = kindOf(context.service.frontDoor(inputs.frontdoorId));
  const adopted = (await findConfirmed(kind, resource, context)) ?? (await findAdopted(kind, resource, context));
  const outcome = adopted ? await resource.adopt(adopted.live, adopted.inputs) : await resource.create();
  reportStaleRecords(kind, context.service, label, { name: inputs.name, id: adopted && outcome.id });
  return outcome;
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
  ledger.record("acquired", id);
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

/**
 * Removes and reports, except in a preview, the creation records of this resource that it no longer needs. They have another name, or the
 * state now holds another id. The provider does nothing else with the id in a stale record, because another resource may have adopted it.
 */
export function reportStaleRecords<Wire extends Named>(
  kind: Kind<Wire>,
  { say, previewGate }: Service,
  label: string,
  resource: {
    name: string;
    /** Undefined after a create: then the record under the resource's own name is the one just written, and stays. */
    id?: string | undefined;
  },
): void {
  const origin = kind.declarations.named(resource.name)?.origin;
  if (origin === undefined) return;
  const stale = kind.records.removeWhere(
    (record, isUnder) =>
      record.origin === origin && (resource.id === undefined ? !isUnder(resource.name) : record.id !== resource.id),
  );
  previewGate.outside(() => {
    for (const { id } of stale) say(staleRecord(label, id));
  });
}

/**
 * True if a killed run has deleted the resource to replace it, and a creation record has its name. Pulumi then creates the resource, even
 * if the program is reverted, and the create needs the record. @throws FrontdoorError.
 */
export async function isHalfReplaced<Wire extends Named>(
  subject: Subject<Wire>,
  name: string,
  until: Until,
): Promise<boolean> {
  const { records, declarations } = subject.kind;
  const record = records.under(name);
  if (record === undefined || record.id === subject.id) return false;
  if (record.origin !== declarations.named(name)?.origin) return false;
  const live = await find(subject, until);
  return live === undefined || !isPresent(live);
}

/** Removes and reports, except in a preview, the creation records of keys that a set no longer has. */
export function reportStaleKeys<Wire extends Named>(
  kind: Kind<Wire>,
  { say, previewGate }: Service,
  label: string,
  setOrigin: string,
  keys: ReadonlySet<string>,
): void {
  const start = originInSet(setOrigin, "");
  const stale = kind.records.removeWhere(
    ({ origin }) => origin.startsWith(start) && !keys.has(origin.slice(start.length)),
  );
  previewGate.outside(() => {
    for (const { origin, id } of stale)
      say(staleRecord(`${label}: ${keyed("shares", origin.slice(start.length))}`, id));
  });
}
