import { setMaxListeners } from "node:events";
import { jobs, walk } from "./jobs";

// Each wait of a run listens to the one signal that ends them all.
setMaxListeners(0);

describe("every history of two runs, with a fault or a kill at every request,", () => {
  it.each(jobs)("ends as the program declares: $programs, $adapter adapter, $service service", async ({ ...job }) => {
    const { violations, states } = await walk(job, { edits: 1, limitMs: Infinity }, () => undefined);
    expect(violations).toEqual([]);
    expect(states).toBeGreaterThan(3_000);
  });
});
