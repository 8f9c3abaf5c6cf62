import type { Until } from "../clock";
import { isTransient } from "../errors";
import type { Look } from "../wait";
import type { Collection } from "./collection";

const idsPerList = 100;
const patience = 3;

/**
 * Looks at many ids with one list request for each hundred, and reads by id only what a list can't tell:
 * entries it does not show whole, and ids it lacks. One id it lacks is read as a sample; only where the sample
 * is gone too, and the list was a single page (so nothing can have slipped between pages), are the others taken as gone;
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

  return async (ids, until) => {
    const found = new Map<string, Wire | undefined>();
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
      [...found.values()].filter((entry) => entry !== undefined && !isWhole(entry)).map((entry) => entry?.id ?? ""),
    );

    const lacking = ids.filter((id) => !found.has(id));
    const sample = lacking[Math.floor(Math.random() * lacking.length)];
    if (sample === undefined) return found;
    await read([sample]);
    const sampleIsGone = found.has(sample) && (found.get(sample)?.status ?? "DELETED") === "DELETED";
    ticksLacking = sampleIsGone ? 0 : ticksLacking + 1;
    const others = lacking.filter((id) => id !== sample);
    if (sampleIsGone && pages === 1 && matchesAny) for (const id of others) found.set(id, undefined);
    else if (sampleIsGone || !matchesAny || ticksLacking > patience) await read(others);
    return found;
  };
}

/** Reads one id; transient trouble leaves it out, so that one bad answer does not spoil the look at the others. */
async function readInto<Wire extends { id: string; status: string }>(
  found: Map<string, Wire | undefined>,
  calls: Pick<Collection<Wire>, "get">,
  id: string,
  until: Until,
): Promise<void> {
  found.delete(id);
  try {
    found.set(id, await calls.get(id, until, true));
  } catch (error) {
    if (!isTransient(error)) throw error;
  }
}
