import { isPresent, type Named } from "../api/wire";
import { ensureGone, type Subject } from "../converge/ensure";
import { failed, type FrontdoorError, troubleOf } from "../errors";
import { adoptMissing, adoptOtherKind, idTwice, ownedByOther, replacedByItself } from "../messages";
import type { Place } from "../run/fate";
import type { Register } from "../run/register";
import type { Context, Kind } from "../run/service";
import type { Until } from "../time";
import { logicalName } from "./names";

/**
 * Tells the register what a diff answers about an id. `origin` is that of a resource which check has seen.
 * @throws FrontdoorError `failed` if another resource of the program also has the id.
 */
export function noteVerdict(
  { register }: Pick<Kind<Named>, "register">,
  origin: string | undefined,
  id: string,
  verdict: Parameters<Register["compared"]>[2],
): void {
  const other = register.compared(origin, id, verdict);
  if (origin !== undefined && other !== undefined) throw failed(idTwice(id, logicalName(origin), logicalName(other)));
}

export interface Adopting {
  adopt?: string | undefined;
  name: string;
  frontdoorId: string;
}

/** A resource that the program declares, and that the state does not have. */
interface New<Wire extends Named, Inputs extends Adopting = Adopting> {
  kind: Kind<Wire>;
  /** Names the resource in messages. */
  label: string;
  inputs: Inputs;
  isNameDerived: boolean;
}

/** Returns the resource to adopt instead of creating one, and the inputs with the name that it keeps. @throws FrontdoorError. */
export async function findExisting<Wire extends Named, Inputs extends Adopting>(
  resource: New<Wire, Inputs>,
  until: Until,
): Promise<{ seen: Wire; inputs: Inputs } | undefined> {
  const { inputs, isNameDerived } = resource;
  const seen = await findAdopted(resource, until);
  return seen && { seen, inputs: isNameDerived ? { ...inputs, name: seen.name } : inputs };
}

/**
 * Returns the resource that `adopt` names; undefined if there is nothing to adopt, as `adopt` can stay in the program after the resource
 * was replaced. @throws FrontdoorError `failed` if the id does not exist, or shows a resource of another kind.
 */
async function findAdopted<Wire extends Named>({ kind, inputs }: New<Wire>, until: Until): Promise<Wire | undefined> {
  const { register, records } = kind;
  const { adopt: id, name, frontdoorId } = inputs;
  if (id === undefined) return undefined;
  const fate = register.fateOf(id);
  // This run replaces the resource that has the id: it is leaving, or the state has it and this run does not own it. This create is the
  // second half of the replacement.
  if (fate === "goes" || (register.id(id).isInState && fate !== "stays")) return undefined;
  // From here on the run owns the id. A resource that had the id before, under another name, must not delete it.
  register.keeps(id);
  // If the program had this resource before, `adopt` has done its work.
  const isNeeded = !hasBefore(kind, name);
  const seen = await adoptable(kind, { ...inputs, frontdoorId, adopt: id }, until).catch(
    (error: unknown): undefined => {
      if (isNeeded || (error as Partial<FrontdoorError>).code !== "adopt-missing") throw error;
    },
  );
  if (seen) records.remove(seen.name, id);
  return seen;
}

/** True if the program had the resource of this name before: the state has it, or a create of it began in an earlier run. */
export function hasBefore({ register, records }: Pick<Kind<Named>, "records" | "register">, name: string): boolean {
  const declared = register.named(name);
  return declared !== undefined && (declared.isInState || records.under(name)?.origin === declared.origin);
}

/** The part of a kind that reads one resource. */
export interface Readable<Wire extends Named = Named> {
  calls: { get: (id: string, until: Until) => Promise<Wire | undefined> };
}

/** Returns the resource that `adopt` names. @throws FrontdoorError `failed` if the front door lacks it, or shows one of another kind. */
export async function adoptable<Wire extends Named>(
  { calls }: Readable<Wire>,
  inputs: { adopt: string; frontdoorId: string },
  until: Until,
): Promise<Wire> {
  const { adopt: id, frontdoorId } = inputs;
  const seen = await calls.get(id, until).catch((error: unknown) => {
    const trouble = troubleOf(error);
    const missing = trouble && "paths" in trouble ? trouble.paths.filter((path) => path in inputs) : [];
    throw missing.length > 0 ? failed(adoptOtherKind(id, missing)) : error;
  });
  if (seen && isPresent(seen)) return seen;
  throw failed(adoptMissing(id, frontdoorId, seen?.status === "DELETING"));
}

/** Returns what a resource has that another one can need. */
export const placeOf = ({
  ipsecTunnelId: tunnelId,
  name,
  ingressPort,
  locationId,
}: { name: string; ipsecTunnelId?: string } & Pick<Place, "ingressPort" | "locationId">) => ({
  name,
  tunnelId,
  ingressPort,
  locationId,
});

/**
 * Deletes a resource and waits until it is gone. An id that this run owns is skipped with a message: another resource of the program has it.
 * `before` is done first, and its error ends the delete. @throws FrontdoorError.
 */
export async function deleteUnlessOwned<Wire extends Named>(
  context: Context,
  subject: Subject<Wire>,
  place: Place & { name: string },
  before?: () => Promise<unknown>,
): Promise<void> {
  const { id, label, kind } = subject;
  if (kind.register.id(id).isAdoptedAlike) throw failed(replacedByItself(label));
  const fate = kind.register.fateOf(id);
  // Check has seen a resource that adopts the id, and whose create can still be to come.
  if (fate === "stays" || (fate === "unknown" && kind.register.adopterOf(id) !== undefined)) {
    context.service.say(ownedByOther(label));
    return;
  }
  const work = kind.register.begins(id, "delete", place);
  try {
    await before?.();
    await ensureGone(subject, context);
  } catch (error) {
    work.ends(error as Error);
    throw error;
  }
  work.ends();
}
