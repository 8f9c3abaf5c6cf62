import type { Until } from "../time/clock";
import { troubleOf } from "../errors";
import type { Collection } from "./collection";
import type { Listed, Odd } from "./listing";
import { isPresent } from "./status";
import type { Named } from "./types";

/** Returns the entries of a name that are not DELETING or DELETED. An odd entry of the name, or of none, is read by its id. */
export async function present<Wire extends Named>(
  { entries, odd }: Listed<Wire>,
  isNamed: (name: string) => boolean,
  read: (odd: Odd) => Promise<Wire | undefined>,
): Promise<Wire[]> {
  const unclear = odd.filter((each) => each.name === undefined || isNamed(each.name));
  return [...entries, ...(await Promise.all(unclear.map(read)))]
    .filter((entry) => entry !== undefined)
    .filter((entry) => isNamed(entry.name) && isPresent(entry));
}

/** Returns the entry by its id, or undefined if there is none, or if an entry without a name cannot be read. @throws FrontdoorError. */
export async function readOdd<Wire extends Named>(
  calls: Pick<Collection<Wire>, "get">,
  { id, name }: Odd,
  until: Until,
): Promise<Wire | undefined> {
  try {
    return await calls.get(id, until);
  } catch (error) {
    const { kind } = troubleOf(error) ?? {};
    // An id that no path can hold is no resource's. An entry without a name must not block every other name.
    if (kind === "failed" || (kind === "unexpected-response" && name === undefined)) return undefined;
    throw error;
  }
}
