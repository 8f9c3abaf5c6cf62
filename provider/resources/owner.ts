import type { Named } from "../api/types";
import { failed, safeText } from "../errors";
import { sameSpelling } from "../fields/values";
import { idTwice } from "../messages/declared-twice";
import type { Mentioned } from "../messages/messages";
import type { Owner } from "../messages/refusals";
import type { Kind } from "../service";
import { canBeDerivedInStackOf, derivedName, isDerivedInStackOf, isSameStack, logicalName } from "./names";

/** Returns the resource as messages name it: with its name only if the name cannot be a secret. */
export function mentioned<Wire extends Named>({ declarations }: Kind<Wire>, { id, name }: Named): Mentioned {
  const isOpen = declarations.named(name) !== undefined || canBeDerivedInStackOf(declarations.anyOrigin() ?? "", name);
  return { id, name: isOpen ? safeText(name, 80) : undefined };
}

/** Returns the owner of a resource, as far as this run knows it. `wantedBy` is the name of the resource that needs its place. */
export function ownerOf<Wire extends Named>(
  { ledger, declarations, records }: Kind<Wire>,
  { id, name }: Named,
  wantedBy: unknown,
): Owner {
  const declared = declarations.named(name);
  const origin = declarations.anyOrigin();
  const own = declarations.named(wantedBy);
  if (own && declarations.idsOf(own.origin).includes(id))
    return ledger.stateOf(id) === "leaving" ? "retained" : "itself";
  const hasOtherResource = name !== wantedBy && (declared !== undefined || declarations.isInState(id));
  if (ledger.stateOf(id) === "owned" || hasOtherResource) return "this program";
  if (origin === undefined) return "unknown";
  const record = records.under(name);
  const isRecorded = record?.id === id && isSameStack(record.origin, origin);
  const isOwnName = declared !== undefined && (declared.isInState || derivedName(declared.origin) === name);
  if (isRecorded || isOwnName || isDerivedInStackOf(origin, name)) return "this stack";
  return canBeDerivedInStackOf(origin, name) ? "maybe this stack" : "unknown";
}

/** True if nothing shows that this stack has the resource, so this run cannot move or delete it. `wantedBy` as in `ownerOf`. */
export const isForeign = <Wire extends Named>(kind: Kind<Wire>, entry: Named, wantedBy: string): boolean =>
  !sameSpelling(entry.name, wantedBy) &&
  !kind.declarations.isLeaving(entry.name) &&
  kind.ledger.stateOf(entry.id) === "unknown" &&
  ownerOf(kind, entry, wantedBy) === "unknown";

/**
 * Records that the state has the id, under a resource that check has seen.
 * @throws FrontdoorError `failed` if another resource of the program also has the id.
 */
export function claimIdInState<Wire extends Named>(kind: Kind<Wire>, id: string, origin: string): void {
  const other = kind.declarations.claim(id, origin);
  if (other !== undefined) throw failed(idTwice(id, logicalName(origin), logicalName(other)));
  kind.declarations.addInState(id, origin);
}
