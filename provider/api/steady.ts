import type { Until } from "../time/clock";
import type { Query } from "./batches";
import type { Collection } from "./collection";
import type { Listed } from "./listing";

const mostReadings = 5;

/**
 * Returns every entry that the filters match, even if others come and go between two pages: a list of several pages is read until two
 * readings show the same ids. If that never happens, ids that only an earlier reading has are listed as odd. @throws FrontdoorError.
 */
export async function listSteady<Wire extends { id: string; status: string }>(
  calls: Pick<Collection<Wire>, "list">,
  query: Query,
  until: Until,
): Promise<Listed<Wire>> {
  const earlier = new Set<string>();
  let before: Listed<Wire> | undefined;
  for (let readings = 1; ; readings++) {
    const listed = await calls.list(query, until);
    if (listed.pages === 1 || (before && isSame(before.ids, listed.ids))) return listed;
    if (readings === mostReadings) {
      const missed = [...earlier].filter((id) => !listed.ids.has(id)).map((id) => ({ id, name: undefined }));
      return { ...listed, odd: [...listed.odd, ...missed] };
    }
    for (const id of listed.ids) earlier.add(id);
    before = listed;
  }
}

const isSame = (one: ReadonlySet<string>, other: ReadonlySet<string>) =>
  one.size === other.size && [...one].every((id) => other.has(id));
