import type { Until } from "../time/clock";
import type { Collection } from "./collection";
import type { Query } from "./batches";
import type { Listed } from "./listing";

/**
 * Every entry the filters match, also where others come and go between two pages: a list of more than one page is read until two
 * readings show the same ids. Where that does not come in five, what only an earlier reading has shown is told as odd: to be read by its id.
 * @throws FrontdoorError.
 */
export async function listSteady<Wire extends { id: string; status: string }>(
  calls: Pick<Collection<Wire>, "list">,
  query: Query,
  until: Until,
): Promise<Listed<Wire>> {
  const everShown = new Set<string>();
  let before: Listed<Wire> | undefined;
  for (let readings = 1; ; readings++) {
    const listed = await calls.list(query, until);
    if (listed.pages === 1 || (before && isSame(before.ids, listed.ids))) return listed;
    for (const id of listed.ids) everShown.add(id);
    before = listed;
    if (readings < 5) continue;
    const missed = [...everShown].filter((id) => !listed.ids.has(id));
    return { ...listed, odd: [...listed.odd, ...missed.map((id) => ({ id, name: undefined }))] };
  }
}

const isSame = (one: Set<string>, other: Set<string>) =>
  one.size === other.size && [...one].every((id) => other.has(id));
