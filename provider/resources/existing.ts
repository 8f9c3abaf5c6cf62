import type { Named } from "../api/types";
import { failed, safeText } from "../errors";
import { adoptMissing, idTwice, type Mentioned, type Owner } from "../messages/messages";
import type { Kind } from "../service";
import type { Until } from "../time/clock";
import { derivedName, isBeside, isDerivedBeside, isDerivedHere, logicalName } from "./names";

/** True if the resource exists and is not being deleted. */
export const isPresent = (seen: { status: string } | undefined): boolean =>
  seen !== undefined && seen.status !== "DELETED" && seen.status !== "DELETING";

/** Returns the resource as messages name it: with its name only if the name cannot be a secret. */
export function mentioned<Wire extends Named>({ declarations }: Kind<Wire>, { id, name }: Named): Mentioned {
  const isOpen = declarations.named(name) !== undefined || isDerivedBeside(declarations.anyOrigin() ?? "", name);
  return { id, name: isOpen ? safeText(name, 80) : undefined };
}

/** Returns whose the resource is, as far as this run can tell. `wantedBy` is the name of the resource that needs its place. */
export function ownerOf<Wire extends Named>(
  { ledger, declarations, records }: Kind<Wire>,
  { id, name }: Named,
  wantedBy: unknown,
): Owner {
  const declared = declarations.named(name);
  const isOther = name !== wantedBy && (declared !== undefined || declarations.isInState(id));
  if (ledger.stateOf(id) === "owned" || isOther) return "this program";
  const origin = declarations.anyOrigin();
  if (origin === undefined) return "unknown";
  const record = records.under(name);
  const isRecorded = record?.id === id && isBeside(record.origin, origin);
  const isOwnName = declared !== undefined && (declared.isInState || derivedName(declared.origin) === name);
  return isRecorded || isOwnName || isDerivedHere(origin, name) ? "this stack" : "unknown";
}

/**
 * Notes that the state holds the id under the resource that check has seen. Its creation record is done.
 * @throws FrontdoorError `failed` if another resource of the program has the id too.
 */
export function noteInState<Wire extends Named>(kind: Kind<Wire>, id: string, origin: string): void {
  const other = kind.declarations.claimId(id, origin);
  if (other !== undefined) throw failed(idTwice(id, logicalName(origin), logicalName(other)));
  kind.declarations.noteInState(id, origin);
}

interface Adopting {
  adopt?: string | undefined;
  name: string;
  frontdoorId: string;
}

/**
 * Returns the resource to adopt, and the inputs with the name that it keeps. Returns undefined if there is nothing to adopt: `adopt` can
 * stay in the program after the resource was replaced. @throws FrontdoorError `failed` if the id does not exist.
 */
export async function findAdopted<Wire extends Named, Inputs extends Adopting>(
  kind: Kind<Wire>,
  label: string,
  inputs: Inputs,
  isNameDerived: boolean,
  until: Until,
): Promise<{ live: Wire; inputs: Inputs } | undefined> {
  const { adopt: id, name, frontdoorId } = inputs;
  const { ledger, declarations, records, calls } = kind;
  if (id === undefined) return undefined;
  const state = ledger.stateOf(id);
  // This run replaces the resource that had adopted the id.
  if (state === "leaving" || (declarations.isInState(id) && state !== "owned")) return undefined;
  ledger.record("returned", id);
  const live = await calls.get(id, until);
  if (live && isPresent(live)) {
    records.remove(live.name, id);
    return { live, inputs: isNameDerived ? { ...inputs, name: live.name } : inputs };
  }
  const declared = declarations.named(name);
  const isReplaced = declared?.isInState === true || records.under(name)?.origin === declared?.origin;
  if (declared && isReplaced) return undefined;
  throw failed(adoptMissing(label, id, frontdoorId, live?.status === "DELETING"));
}
