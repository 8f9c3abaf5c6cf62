import type { Until } from "../clock";
import type { Look } from "../wait";
import { batches } from "./batches";
import type { Collection } from "./collection";

const patience = 3;

/**
 * Looks at many ids with one list request for each hundred, and reads by id only what a list can't tell: entries it does not
 * show whole, and ids it lacks and that have to be told from gone ones.
 *
 * - Where an id is waited for to go, and was shown by a list, a list that lacks it proves that it has gone; one for several ids only
 *   after one that has shown several. Of the others one is read as a sample; where that is gone too, all are taken as gone.
 * - Where an id is waited for to come, a list that lacks it may lag behind: a few times in a row that is not counted, then
 *   one is read as a sample, and if it is there, all.
 *
 * Nothing is proven by a list of several pages (an entry can slip between them), after any list has lacked what a GET shows,
 * nor where the service does not promise that a repeated filter matches any of its values.
 * Where the service ignores the filter and the whole list has more pages than there are ids, all are read by id.
 */
export function lookTogether<Wire extends { id: string; status: string }>(
  calls: Pick<Collection<Wire>, "list" | "get">,
  isWhole: (entry: Wire) => boolean,
  matchesAny: boolean,
): Look<Wire> {
  let pagesUnfiltered = 0;
  let ticksLacking = 0;
  /** A list has lacked what a GET shows: from then on what it lacks proves nothing. */
  let hasLacked = false;
  const shown = new Set<string>();
  let hasShownSeveral = false;

  return async (ids, until, leaving) => {
    const found = new Map<string, Wire | Error | undefined>();
    const read = (some: string[]) => Promise.all(some.map((id) => readInto(found, calls, id, until)));
    if (pagesUnfiltered > ids.length) {
      await read(ids);
      return found;
    }
    let pages = 0;
    for (const portion of batches(ids, (id) => id)) {
      const asked = new Set(portion);
      const answer = await calls.list(
        portion.map((id) => ["id", id]),
        until,
        { once: true },
      );
      pages = Math.max(pages, answer.pages);
      pagesUnfiltered = answer.entries.some((entry) => !asked.has(entry.id)) ? answer.pages : 0;
      for (const entry of answer.entries) if (asked.has(entry.id)) found.set(entry.id, entry);
    }
    const partial = [...found.values()].filter((entry) => entry && !(entry instanceof Error) && !isWhole(entry));
    for (const id of found.keys()) shown.add(id);
    hasShownSeveral ||= found.size > 1;
    await read(partial.map((entry) => (entry as Wire).id));

    const proves = () => pages === 1 && matchesAny && !hasLacked;
    const lacking = ids.filter((id) => !found.has(id));
    if (proves() && (ids.length === 1 || hasShownSeveral))
      for (const id of lacking) if (leaving.has(id) && shown.has(id)) found.set(id, undefined);

    const unclear = lacking.filter((id) => !found.has(id));
    ticksLacking = unclear.length === 0 ? 0 : ticksLacking + 1;
    const unseen = unclear.filter((id) => leaving.has(id));
    const candidates = unseen.length > 0 ? unseen : ticksLacking > patience || !matchesAny ? unclear : [];
    const sample = candidates[Math.floor(Math.random() * candidates.length)];
    if (sample === undefined) return found;
    await read([sample]);
    const seen = found.get(sample);
    const sampleIsGone = !(seen instanceof Error) && (seen?.status ?? "DELETED") === "DELETED";
    hasLacked ||= !sampleIsGone && !(seen instanceof Error);
    const others = unclear.filter((id) => id !== sample);
    if (sampleIsGone && proves()) for (const id of others) found.set(id, undefined);
    else if (sampleIsGone || !matchesAny || ticksLacking > patience) await read(others);
    return found;
  };
}

/** Reads one id; its trouble is its own, so that one bad answer does not spoil the look at the others. */
async function readInto<Wire extends { id: string; status: string }>(
  found: Map<string, Wire | Error | undefined>,
  calls: Pick<Collection<Wire>, "get">,
  id: string,
  until: Until,
): Promise<void> {
  found.set(id, await calls.get(id, until, true).catch((error: unknown) => error as Error));
}
