import type { Kind, Service } from "../service";
import type { Named } from "../api/types";
import type { Until } from "../time/clock";

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
  { claims, creates, inventory }: Kind<Wire>,
  label: string,
  origin: string | undefined,
  needed: Needed,
  { say }: Pick<Service, "say">,
  until: Until,
): Promise<void> {
  if (origin === undefined) return;
  const { name, id } = needed;
  for (const begun of creates.outlived(origin, needed)) {
    const isIt = (entry: Wire) => entry.id !== id && !begun.before.includes(entry.id) && !claims.isHeld(entry.id);
    const alike = async () =>
      (await inventory.named(name, until).catch(() => [])).filter(isIt).map((entry) => entry.id);
    const ids = begun.id === undefined ? await alike() : [begun.id];
    const what = ids.length > 0 ? ids.join(", ") : "another one, and was not told its id";
    say(
      `${label}: an interrupted run began ${what}, which the program no longer asks for: adopt or delete what is there of it`,
    );
  }
}
