import { setMaxListeners } from "node:events";
import { jobs, pairJobs, walk } from "./jobs";

// Each wait of a run listens to the one signal that ends them all.
setMaxListeners(0);

describe("an edit of each kind, with a sample of the rarer faults and of two at neighbouring requests,", () => {
  it.each(pairJobs)("ends as the program declares: $programs, $adapter adapter, $service service", async (job) => {
    // `npm run prove -- --pairs 1` tries all.
    const often = jobs.includes(job)
      ? { everyNthFault: 61, everyNthPair: 211 }
      : { everyNthFault: 401, everyNthPair: 401 };
    const { violations } = await walk(job, { edits: 1, limitMs: Infinity, isFirst: true, ...often }, () => undefined);
    expect(violations).toEqual([]);
  });
});
