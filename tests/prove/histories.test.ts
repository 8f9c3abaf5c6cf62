import { setMaxListeners } from "node:events";
import { draw } from "./draw";

// Each wait of a run listens to the one signal that ends them all.
setMaxListeners(0);

/** First of the seeds that differ in each run. The fixed seeds are the same in each run. */
const fresh = Date.now() % 1_000_000_000;

describe("random histories of edits, faults and kills, in virtual time,", () => {
  it.each([
    ["fixed", 1, 150],
    ["fresh", fresh, 100],
  ])("end as the programs declare (%s seeds, from %i, %i of them)", async (_which, from, count) => {
    const failed: string[] = [];
    for (let seed = from; seed < from + count; seed++) {
      const { history, played } = await draw(seed);
      if (played.problems.length > 0)
        failed.push(`npm run chaos -- --virtual --history '${JSON.stringify(history)}'`, ...played.problems);
    }
    expect(failed).toEqual([]);
  });
});
