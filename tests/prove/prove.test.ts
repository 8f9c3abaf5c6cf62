import { setMaxListeners } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../harness/folder";
import { jobs, pairJobs, walk } from "./jobs";
import { planted } from "./planted";
import { find } from "./try-planted";

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

describe("planted bugs", () => {
  it("have their places in the sources", () => {
    for (const { file, from } of planted.flatMap(({ patches }) => patches))
      expect([file, from, readFileSync(join(root, file), "utf8").split(from).length - 1]).toEqual([file, from, 1]);
  });

  it.each(planted.filter(({ name }) => name === "an id is dropped on timeout"))(
    "the walk finds: $name",
    async (bug) => {
      expect(await find(root, { ...bug, only: "dynamic singles" }, [0, 0])).toMatchObject({
        violation: expect.stringContaining("an id is lost") as string,
      });
    },
  );
});
