import type { Until } from "../clock";
import type { Found, Look } from "../wait";
import { Absence } from "./absence";
import { batches } from "./batches";
import type { Collection } from "./collection";

/** An id that lists lack is read by itself so many lists after the last time. */
const patience = 4;

/**
 * Looks at many ids with one list request for each hundred, all at the same time, and reads by id only what a list can't tell:
 * entries it does not show whole, and ids it lacks and that have to be told from gone ones.
 *
 * - Where an id is waited for to go, its absence may prove that it has gone. Of the others one is read as a sample, and where that
 *   is gone, or at a slow pace, all.
 * - Where an id is waited for to come, a list that lacks it may lag behind: a few times in a row that is not counted, then one is
 *   read as a sample, and at a slow pace all.
 *
 * Where the service ignores the filter and the whole list has more pages than there are ids, all are read by id.
 */
export function lookTogether<Wire extends { id: string; status: string }>(
  calls: Pick<Collection<Wire>, "list" | "get">,
  isWhole: (entry: Wire) => boolean,
  matchesAny: boolean,
): Look<Wire> {
  const absence = new Absence(matchesAny);
  /** How often in a row lists have lacked an id. */
  const lacked = new Map<string, number>();
  let pagesUnfiltered = 0;

  const lookAt = async (portion: string[], until: Until, leaving: ReadonlySet<string>): Promise<Found<Wire>> => {
    const found: Found<Wire> = new Map();
    const read = (some: string[]) => readInto(found, calls, some, until);
    // The youngest first and last: they are the most likely to be shown, and what is shown proves what is asked for between.
    const asked = [...portion.slice(-1), ...portion.slice(0, -1)];
    const query = asked.map((id): [string, string] => ["id", id]);
    const answer = await calls.list(query, until, { once: true });
    pagesUnfiltered = [...answer.ids].some((id) => !portion.includes(id)) ? answer.pages : 0;
    for (const id of asked) lacked.set(id, answer.ids.has(id) ? 0 : (lacked.get(id) ?? 0) + 1);
    for (const entry of answer.entries) if (asked.includes(entry.id) && isWhole(entry)) found.set(entry.id, entry);
    const absent = absence.learn(asked, answer);
    for (const id of absent) if (absence.proves(id)) found.set(id, undefined);

    const open = asked.filter((id) => !found.has(id));
    const lacking = open.filter((id) => matchesAny && !answer.ids.has(id));
    const times = (id: string) => lacked.get(id) ?? 0;
    const readGone = async ([sample, ...others]: string[]) => {
      if (sample === undefined) return;
      await read([sample]);
      const isSampleGone = isGone(found.get(sample));
      const speaksFor = (id: string) => isSampleGone && absence.isSampleEnough() && absent.includes(id);
      for (const id of others.filter(speaksFor)) found.set(id, undefined);
      const unsure = others.filter((id) => !found.has(id));
      await read(unsure.filter((id) => isSampleGone || times(id) % patience === 0));
      if ([sample, ...unsure].some((id) => isThere(found.get(id)))) absence.doubt(answer);
    };
    const late = shuffled(lacking.filter((id) => !leaving.has(id) && times(id) >= patience));
    await Promise.all([
      read(open.filter((id) => !lacking.includes(id))),
      read(late.filter((id, at) => at === 0 || (times(id) > patience && times(id) % patience === 0))),
      // The youngest is the last to go, as far as they take equally long.
      readGone(portion.filter((id) => lacking.includes(id) && leaving.has(id)).reverse()),
    ]);
    return found;
  };

  return (ids, until, leaving) => {
    if (pagesUnfiltered > ids.length) return [readInto(new Map(), calls, ids, until)];
    return batches(ids, (id) => id).map((portion) =>
      lookAt(portion, until, leaving).catch((error: unknown) => new Map(portion.map((id) => [id, error as Error]))),
    );
  };
}

const isThere = (seen: { status: string } | Error | undefined) =>
  !(seen instanceof Error) && seen !== undefined && seen.status !== "DELETED";

const isGone = (seen: { status: string } | Error | undefined) => !(seen instanceof Error) && !isThere(seen);

/** In another order each time, so that not always the same one is the sample. */
const shuffled = <Item>(items: Item[]): Item[] => {
  const at = Math.floor(Math.random() * items.length);
  return [...items.slice(at), ...items.slice(0, at)];
};

/** Reads each by its id; its trouble is its own, so that one bad answer does not spoil the look at the others. */
async function readInto<Wire extends { id: string; status: string }>(
  found: Found<Wire>,
  calls: Pick<Collection<Wire>, "get">,
  ids: string[],
  until: Until,
): Promise<Found<Wire>> {
  await Promise.all(
    ids.map(async (id) => found.set(id, await calls.get(id, until, true).catch((error: unknown) => error as Error))),
  );
  return found;
}
