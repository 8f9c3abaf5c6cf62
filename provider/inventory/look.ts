import type { Clock, Until } from "../time/clock";
import type { Found, Look } from "./poller";
import { Absence } from "./absence";
import { batches } from "../api/batches";
import type { Collection } from "../api/collection";
import { ListTrouble } from "./list-trouble";

/** An id that lists lack is read by itself so many lists after the last time. */
const patience = 4;
/** So few cost no more by themselves than what is saved by patience. */
const few = 10;

/**
 * Looks at many ids with one list request for each hundred, all at the same time, and reads by id only what a list can't tell:
 * entries it does not show whole, and ids it lacks and that have to be told from gone ones.
 *
 * - Where an id is waited for to go, it is gone when a list lacks it that an earlier one showed as DELETING, or when its own read
 *   says so: it is read as soon as a list lacks it, and then with each list where they are few, else with every fourth.
 * - Where an id is waited for to come, a list that lacks it may lag behind: a few times in a row that is not counted, then one is
 *   read as a sample, and at a slow pace all.
 *
 * Where the service ignores the filter and the whole list has more pages than there are ids, and where lists fail again and again,
 * all are read by id.
 */
export function lookTogether<Wire extends { id: string; status: string }>(
  calls: Pick<Collection<Wire>, "list" | "get">,
  isWhole: (entry: Wire) => boolean,
  matchesAny: boolean,
  { random }: Pick<Clock, "random">,
  trouble = new ListTrouble(),
): Look<Wire> {
  const absence = new Absence(matchesAny);
  /** From another one on each time, so that not always the same one is the sample. */
  const turned = <Item>(items: Item[]): Item[] => {
    const at = Math.floor(random() * items.length);
    return [...items.slice(at), ...items.slice(0, at)];
  };
  /** How often in a row lists have lacked an id. */
  const lacked = new Map<string, number>();
  let pagesUnfiltered = 0;

  const lookAt = async (portion: string[], until: Until, leaving: ReadonlySet<string>): Promise<Found<Wire>> => {
    const found: Found<Wire> = new Map();
    const read = (some: string[]) => readInto(found, calls, some, until);
    // The youngest first and last: they are the most likely to be shown, and what is shown proves what is asked for between.
    const asked = [...portion.slice(-1), ...portion.slice(0, -1)];
    const query = asked.map((id): [string, string] => ["id", id]);
    const answer = await trouble.note(calls.list(query, until, { once: true }));
    pagesUnfiltered = [...answer.ids].some((id) => !portion.includes(id)) ? answer.pages : 0;
    for (const id of asked) lacked.set(id, answer.ids.has(id) ? 0 : (lacked.get(id) ?? 0) + 1);
    for (const entry of answer.entries) if (asked.includes(entry.id) && isWhole(entry)) found.set(entry.id, entry);
    for (const id of absence.learn(asked, answer)) found.set(id, undefined);

    const open = asked.filter((id) => !found.has(id));
    const lacking = open.filter((id) => matchesAny && !answer.ids.has(id));
    const times = (id: string) => lacked.get(id) ?? 0;
    const late = turned(lacking.filter((id) => !leaving.has(id) && times(id) >= patience));
    const going = lacking.filter((id) => leaving.has(id));
    const dueGoing = going.filter((id) => going.length <= few || times(id) % patience === 1);
    await Promise.all([
      read(open.filter((id) => !lacking.includes(id))),
      read(late.filter((id, at) => at === 0 || (times(id) > patience && times(id) % patience === 0))),
      read(dueGoing),
    ]);
    if (dueGoing.some((id) => isThere(found.get(id)))) absence.doubt(answer);
    return found;
  };

  /** Each by its id, once the first one has shown that the service answers those. */
  const lookWithoutList = async (portion: string[], until: Until): Promise<Found<Wire>> => {
    const [sample = "", ...others] = turned(portion);
    const found = await readInto<Wire>(new Map(), calls, [sample], until);
    const first = found.get(sample);
    if (first instanceof Error) return new Map(portion.map((id) => [id, first]));
    return readInto(found, calls, others, until);
  };

  const lookSomehow = async (portion: string[], until: Until, leaving: ReadonlySet<string>): Promise<Found<Wire>> => {
    if (!trouble.isWorthATry()) return lookWithoutList(portion, until);
    try {
      return await lookAt(portion, until, leaving);
    } catch (error) {
      if (trouble.isLasting) return lookWithoutList(portion, until);
      return new Map(portion.map((id) => [id, error as Error]));
    }
  };

  return (ids, until, leaving) => {
    if (pagesUnfiltered > ids.length) return [readInto(new Map(), calls, ids, until)];
    return batches(ids, (id) => id).map((portion) => lookSomehow(portion, until, leaving));
  };
}

const isThere = (seen: { status: string } | Error | undefined) =>
  !(seen instanceof Error) && seen !== undefined && seen.status !== "DELETED";

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
