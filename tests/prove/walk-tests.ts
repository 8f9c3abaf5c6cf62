import { setMaxListeners } from "node:events";
import { draw } from "./history";
import { dayJobs, days, type Job, jobs, optionJobs, walk } from "./jobs";

// Each wait of a run listens to the one signal that ends them all.
setMaxListeners(0);

/** Which faults a sample takes: every nth, from one on. The same on each commit: a failure is then of the change. */
interface Sample {
  everyNthFault: number;
  countsFrom: number;
  /** Which worlds between runs it continues from: every n-th. */
  stride?: number;
}

const plain = { edits: 1, limitMs: Infinity };

/** Tests a sample of the walk and of ordinary days. `npm run prove` tries all. */
export function testWalks(sample: Sample): void {
  const { everyNthFault } = sample;
  describe(`every history of two runs, with every ${everyNthFault}th of the faults and kills at its requests,`, () => {
    it.each(jobs)("ends as the program declares: $programs, $adapter adapter, $service service", async (job) => {
      const { violations, states } = await walk(job, { ...plain, ...sample }, () => undefined);
      expect(violations).toEqual([]);
      expect(states).toBeGreaterThan(200);
    });
  });

  describe("edits with Pulumi's options, and of resources that adopt what leaves, with a sample of the faults,", () => {
    it.each(optionJobs)("end as the program declares: $adapter adapter, $service service", async (job) => {
      const rare = { ...plain, ...sample, everyNthFault: 31 * everyNthFault, stride: Infinity };
      expect((await walk(job, rare, () => undefined)).violations).toEqual([]);
    });
  });

  describe(`ordinary days, with every ${3 * everyNthFault}th of their events,`, () => {
    // One adapter in turn. `npm run prove` tries both.
    it.each(dayJobs.filter((_, nth) => nth % 4 === 0 || nth % 4 === 3))(
      "end as the program declares: $adapter adapter, $service service",
      async (job) => {
        const rare = { ...plain, ...sample, everyNthFault: 3 * everyNthFault };
        expect((await days(job, rare, () => undefined)).violations).toEqual([]);
      },
    );
  });
}

/** Tests a sample of the rarer faults and of pairs. `npm run prove -- --pairs 1` tries all. */
export function testPairs(countsFrom: number, paired: readonly Job[]): void {
  describe("an edit of each kind, with a sample of the rarer faults and of two at neighbouring requests,", () => {
    it.each(paired)("ends as the program declares: $programs, $adapter adapter, $service service", async (job) => {
      const often = jobs.includes(job)
        ? { everyNthFault: 151, everyNthPair: 401 }
        : { everyNthFault: 401, everyNthPair: 401 };
      const { violations } = await walk(job, { ...plain, isFirst: true, countsFrom, ...often }, () => undefined);
      expect(violations).toEqual([]);
    });
  });
}

/** Tests the random histories of the seeds from `first` to `last`. `npm run chaos -- --virtual` plays others. */
export function testHistories(first: number, last: number): void {
  describe(`random histories ${first} to ${last} of edits, faults and kills, in virtual time,`, () => {
    it("end as the programs declare", async () => {
      const failed: string[] = [];
      for (let seed = first; seed <= last; seed++) {
        const { history, played } = await draw(seed);
        if (played.problems.length > 0)
          failed.push(`npm run chaos -- --virtual --history '${JSON.stringify(history)}'`, ...played.problems);
      }
      expect(failed).toEqual([]);
    });
  });
}
