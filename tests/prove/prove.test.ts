import { setMaxListeners } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../harness/folder";
import { dayJobs, days, isAll, jobs, pairJobs, walk } from "./jobs";
import { planted } from "./planted";

// Each wait of a run listens to the one signal that ends them all.
setMaxListeners(0);

/** `npm run prove` tries all. */
const everyNthFault = isAll ? 5 : 13;
/** The same sample on each commit: a failure is then of the change. */
const countsFrom = 0;

describe(`every history of two runs, with every ${everyNthFault}th of the faults and kills at its requests,`, () => {
  it.each(jobs)("ends as the program declares: $programs, $adapter adapter, $service service", async ({ ...job }) => {
    const slice = { edits: 1, limitMs: Infinity, everyNthFault, countsFrom };
    const { violations, states } = await walk(job, slice, () => undefined);
    expect(violations).toEqual([]);
    expect(states).toBeGreaterThan(600);
  });
});

describe("an edit of each kind, with a sample of the rarer faults and of two at neighbouring requests,", () => {
  it.each(pairJobs)("ends as the program declares: $programs, $adapter adapter, $service service", async (job) => {
    // `npm run prove -- --pairs 1` tries all.
    const often = jobs.includes(job)
      ? { everyNthFault: 61, everyNthPair: 211 }
      : { everyNthFault: 401, everyNthPair: 401 };
    const { violations } = await walk(
      job,
      { edits: 1, limitMs: Infinity, isFirst: true, countsFrom, ...often },
      () => undefined,
    );
    expect(violations).toEqual([]);
  });
});

describe(`ordinary days, with every ${3 * everyNthFault}th of their events,`, () => {
  // One adapter in turn. `npm run prove` tries both.
  it.each(dayJobs.filter((_, nth) => nth % 4 === 0 || nth % 4 === 3))(
    "end as the program declares: $adapter adapter, $service service",
    async (job) => {
      const { violations } = await days(
        job,
        { edits: 1, limitMs: Infinity, everyNthFault: 3 * everyNthFault, countsFrom },
        () => undefined,
      );
      expect(violations).toEqual([]);
    },
  );
});

describe("planted bugs", () => {
  it("have their places in the sources", () => {
    for (const { file, from } of planted.flatMap(({ patches }) => patches))
      expect([file, from, readFileSync(join(root, file), "utf8").split(from).length - 1]).toEqual([file, from, 1]);
  });
});
