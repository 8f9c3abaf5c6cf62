import { setMaxListeners } from "node:events";
import { jobs, walk } from "./jobs";

// Each wait of a run listens to the one signal that ends them all.
setMaxListeners(0);

/** `npm run prove` tries all. */
const everyNthFault = 5;

describe("every history of two runs, with every fifth of the faults and kills at its requests,", () => {
  it.each(jobs)("ends as the program declares: $programs, $adapter adapter, $service service", async ({ ...job }) => {
    const { violations, states } = await walk(job, { edits: 1, limitMs: Infinity, everyNthFault }, () => undefined);
    expect(violations).toEqual([]);
    expect(states).toBeGreaterThan(800);
  });
});
