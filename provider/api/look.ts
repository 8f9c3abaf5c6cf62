import type { Until } from "../clock";
import type { Look } from "../wait";
import type { Collection } from "./collection";

const idsPerList = 100;
const patience = 3;

/**
 * Looks at many ids with one list request for each hundred, and reads by id only what a list can't tell:
 * entries it does not show whole, and ids it lacks. One id it lacks is read as a sample; only where the sample
 * is gone too, the list was a single page (so nothing can have slipped between pages) and no list has ever lacked what a GET
 * showed, are the others taken as gone;
 * not even then where the service does not promise that a repeated filter matches any of its values.
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

  return async (ids, until) => {
    const found = new Map<string, Wire | Error | undefined>();
    const read = (some: string[]) => Promise.all(some.map((id) => readInto(found, calls, id, until)));
    if (pagesUnfiltered > ids.length) {
      await read(ids);
      return found;
    }
    let pages = 0;
    for (let from = 0; from < ids.length; from += idsPerList) {
      const asked = new Set(ids.slice(from, from + idsPerList));
      const answer = await calls.list(
        [...asked].map((id) => ["id", id]),
        until,
        { once: true },
      );
      pages = Math.max(pages, answer.pages);
      pagesUnfiltered = answer.entries.some((entry) => !asked.has(entry.id)) ? answer.pages : 0;
      for (const entry of answer.entries) if (asked.has(entry.id)) found.set(entry.id, entry);
    }
    await read(
      [...found].filter(([, entry]) => entry && !(entry instanceof Error) && !isWhole(entry)).map(([id]) => id),
    );

    const lacking = ids.filter((id) => !found.has(id));
    const sample = lacking[Math.floor(Math.random() * lacking.length)];
    if (sample === undefined) return found;
    await read([sample]);
    const seen = found.get(sample);
    const sampleIsGone = found.has(sample) && !(seen instanceof Error) && (seen?.status ?? "DELETED") === "DELETED";
    ticksLacking = sampleIsGone ? 0 : ticksLacking + 1;
    hasLacked ||= !sampleIsGone;
    const others = lacking.filter((id) => id !== sample);
    if (sampleIsGone && pages === 1 && matchesAny && !hasLacked) for (const id of others) found.set(id, undefined);
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
