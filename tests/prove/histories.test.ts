import { setMaxListeners } from "node:events";
import { draw } from "./history";
import { isAll } from "./jobs";
import { pair, relations } from "./relations";

// Each wait of a run listens to the one signal that ends them all.
setMaxListeners(0);

/** The same in each run, in `npm test` the first of them; tests/prove/histories.long.test.ts draws others. */
const seeds = Array.from({ length: isAll ? 250 : 100 }, (_, nth) => nth + 1);

describe("random histories of edits, faults and kills, in virtual time,", () => {
  it("end as the programs declare", async () => {
    const failed: string[] = [];
    for (const seed of seeds) {
      const { history, played } = await draw(seed);
      if (played.problems.length > 0)
        failed.push(`npm run chaos -- --virtual --history '${JSON.stringify(history)}'`, ...played.problems);
    }
    expect(failed).toEqual([]);
  });
});

/** Pairs of each relation. `npm run prove -- relations` plays more. */
const pairs = isAll ? 15 : 6;

describe("two histories that must end in the same state of the service", () => {
  it.each(Object.keys(relations))("do so: %s", async (name) => {
    for (let seed = 1; seed <= pairs; seed++) expect(await pair(name, seed)).toBeUndefined();
  });
});
