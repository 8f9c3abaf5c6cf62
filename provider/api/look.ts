import type { Until } from "../clock";
import type { Look } from "../wait";
import { batches } from "./batches";
import type { Collection } from "./collection";
import type { Listed } from "./pages";

const patience = 3;

/**
 * Looks at many ids with one list request for each hundred, and reads by id only what a list can't tell: entries it does not
 * show whole, and ids it lacks and that have to be told from gone ones.
 *
 * - Where an id is waited for to go, and was listed as DELETING, a list that lacks it proves that it has gone. Of the others one is
 *   read as a sample; where that is gone too, all are taken as gone.
 * - Where an id is waited for to come, a list that lacks it may lag behind: a few times in a row that is not counted, then it is read.
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

  return async (ids, until, leaving) => {
    const found = new Map<string, Wire | Error | undefined>();
    const read = (some: string[]) => Promise.all(some.map((id) => readInto(found, calls, id, until)));
    if (pagesUnfiltered > ids.length) {
      await read(ids);
      return found;
    }
    const lacking: string[] = [];
    const unreadable: string[] = [];
    let isOnePage = true;
    for (const portion of batches(ids, (id) => id)) {
      const query = portion.map((id): [string, string] => ["id", id]);
      const answer = await calls.list(query, until, { once: true });
      const entries = new Map(answer.entries.map((entry) => [entry.id, entry]));
      pagesUnfiltered = [...answer.ids].some((id) => !portion.includes(id)) ? answer.pages : 0;
      // An entry can slip between two pages.
      isOnePage &&= answer.pages === 1 && answer.isWhole;
      absence.learn(portion, answer);
      for (const id of portion) {
        const entry = entries.get(id);
        lacked.set(id, answer.ids.has(id) ? 0 : (lacked.get(id) ?? 0) + 1);
        if (entry && isWhole(entry)) found.set(id, entry);
        else (answer.ids.has(id) ? unreadable : lacking).push(id);
      }
    }
    await read(unreadable);

    const gone = lacking.filter((id) => leaving.has(id));
    if (isOnePage) for (const id of gone) if (absence.proves(id, ids.length)) found.set(id, undefined);
    const [sample, ...others] = shuffled(gone.filter((id) => !found.has(id)));
    if (sample !== undefined) {
      await read([sample]);
      const seen = found.get(sample);
      if (!isGone(seen)) absence.doubt(seen);
      else if (isOnePage && absence.isReliable) for (const id of others) found.set(id, undefined);
      else await read(others);
    }
    const isOverdue = (id: string) => !matchesAny || (lacked.get(id) ?? 0) > patience;
    await read(lacking.filter((id) => !found.has(id) && isOverdue(id)));
    return found;
  };
}

/** What a list that lacks an id proves. */
class Absence {
  /** False after a list has lacked what a read by id shows. */
  isReliable: boolean;
  /** A service may honour the first value of a repeated filter only. */
  private hasShownSeveral = false;
  /** Last listed as DELETING: a service that lists those shows an id until it is gone. */
  private readonly going = new Set<string>();

  constructor(matchesAny: boolean) {
    this.isReliable = matchesAny;
  }

  learn(portion: string[], { entries, ids }: Listed<{ id: string; status: string }>): void {
    this.hasShownSeveral ||= portion.filter((id) => ids.has(id)).length > 1;
    for (const { id, status } of entries) {
      if (status === "DELETING") this.going.add(id);
      else this.going.delete(id);
    }
  }

  /** Told of what a read by id has shown of an id that a list lacks. */
  doubt(seen: object | undefined): void {
    if (!(seen instanceof Error)) this.isReliable = false;
  }

  /** Whether it is certain that this id, which a list of so many has lacked, is gone. */
  proves(id: string, count: number): boolean {
    return this.isReliable && this.going.has(id) && (count === 1 || this.hasShownSeveral);
  }
}

const isGone = (seen: { status: string } | Error | undefined) =>
  !(seen instanceof Error) && (seen?.status ?? "DELETED") === "DELETED";

/** In another order each time, so that not always the same one is the sample. */
const shuffled = <Item>(items: Item[]): Item[] => {
  const at = Math.floor(Math.random() * items.length);
  return [...items.slice(at), ...items.slice(0, at)];
};

/** Reads one id; its trouble is its own, so that one bad answer does not spoil the look at the others. */
async function readInto<Wire extends { id: string; status: string }>(
  found: Map<string, Wire | Error | undefined>,
  calls: Pick<Collection<Wire>, "get">,
  id: string,
  until: Until,
): Promise<void> {
  found.set(id, await calls.get(id, until, true).catch((error: unknown) => error as Error));
}
