import { jobs, walk } from "./jobs";

describe("a sample of the walk", () => {
  it.each(jobs)("ends as the program declares: $programs, $adapter adapter, $service service", async ({ ...job }) => {
    const slice = { edits: 1, limitMs: Infinity, isFirst: true, everyNthFault: 61 };
    const { violations, runs } = await walk(job, slice, () => undefined);
    if (process.env["X"]) console.log(runs);
    expect(violations).toEqual([]);
  });
});
