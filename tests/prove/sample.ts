import { jobs, walk } from "./jobs";

/** A few hundred runs of each walk, as one of the fast tests of `npm run mutation`. */
describe("a sample of the walk", () => {
  it.each(jobs)("ends as the program declares: $programs, $adapter adapter, $service service", async ({ ...job }) => {
    const slice = { edits: 1, limitMs: Infinity, isFirst: true, everyNthFault: 61 };
    const { violations } = await walk(job, slice, () => undefined);
    expect(violations).toEqual([]);
  });
});
