import type { Kind, Service } from "../service";
import type { Named } from "../api/types";
import type { BegunCreate } from "../ownership/creates";
import type { Until } from "../time/clock";
import { keyed } from "./changes";
import { originInSet } from "./origin";

/** What a resource is now, by which a record of an interrupted create of it is needed still or not. */
interface Needed {
  name: string;
  /** Where the state holds it, or it is adopted; what is created anew still needs the record under its name. */
  id?: string;
}

/**
 * Names what an interrupted run began for this very resource, if the program has changed since and asks for it no longer. Its record
 * has no power from then on: others may have taken it over meanwhile, so that neither a delete nor a later take-over would be right.
 */
export async function tellOutlived<Wire extends Named>(
  kind: Kind<Wire>,
  label: string,
  origin: string | undefined,
  needed: Needed,
  service: Pick<Service, "say">,
  until: Until,
): Promise<void> {
  if (origin === undefined) return;
  for (const begun of kind.creates.outlived(origin, needed))
    await tell(kind, label, begun, needed.name, needed.id, service, until);
}

/** The same of keys that a set no longer has. */
export async function tellOutlivedIn<Wire extends Named>(
  kind: Kind<Wire>,
  label: string,
  setOrigin: string,
  keys: Set<string>,
  service: Pick<Service, "say">,
  until: Until,
): Promise<void> {
  const start = originInSet(setOrigin, "");
  for (const begun of kind.creates.outlivedIn(start, keys)) {
    const key = keyed("shares", begun.origin.slice(start.length));
    await tell(kind, `${label}: ${key}`, begun, begun.name, undefined, service, until);
  }
}

async function tell<Wire extends Named>(
  { claims, inventory }: Kind<Wire>,
  label: string,
  begun: BegunCreate,
  name: string | undefined,
  ownId: string | undefined,
  { say }: Pick<Service, "say">,
  until: Until,
): Promise<void> {
  const isIt = ({ id }: Wire) => id !== ownId && !begun.before.includes(id) && !claims.isHeld(id);
  const alike = async () =>
    name === undefined ? [] : (await inventory.named(name, until).catch(() => [])).filter(isIt).map(({ id }) => id);
  const ids = begun.id === undefined ? await alike() : [begun.id];
  const what = ids.length > 0 ? ids.join(", ") : "another one, and was not told its id";
  say(
    `${label}: an interrupted run began ${what}, which the program no longer asks for: adopt or delete what is there of it`,
  );
}
