import type { Until } from "../time/clock";
import { troubleOf } from "../errors";
import type { Collection } from "./collection";
import type { Listed, Odd } from "./listing";
import type { Named } from "./types";

/**
 * Those of a list that have this name and are there to stay. What has not the shape of an entry, but this name or none, is
 * read by its id.
 */
export async function present<Wire extends Named>(
  { entries, odd }: Listed<Wire>,
  name: string,
  read: (odd: Odd) => Promise<Wire | undefined>,
): Promise<Wire[]> {
  const unclear = odd.filter((each) => each.name === undefined || each.name === name);
  const others = await Promise.all(unclear.map(read));
  return [...entries, ...others]
    .filter((entry) => entry !== undefined)
    .filter((entry) => entry.name === name && entry.status !== "DELETING" && entry.status !== "DELETED");
}

/** Such an entry by its id; undefined where there is none, or where it can't be read and does not show the name. @throws FrontdoorError. */
export async function readOdd<Wire extends Named>(
  calls: Pick<Collection<Wire>, "get">,
  { id, name }: Odd,
  until: Until,
): Promise<Wire | undefined> {
  try {
    return await calls.get(id, until);
  } catch (error) {
    const { kind } = troubleOf(error) ?? {};
    // No id to ask for: it can't be anyone's. And one without a name must not stand in the way of all others.
    if (kind === "failed" || (kind === "unexpected-response" && name === undefined)) return undefined;
    throw error;
  }
}
