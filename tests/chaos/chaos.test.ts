import { generate, generateFast } from "./generate";
import { runSchedule } from "./run-schedule";

/**
 * Between them they hold kills of each process (also in a destroy), tunnels that are replaced and that move, renames with and without
 * alias, adopt, `--replace`, and a second stack.
 */
const seeds = [19, 38, 163, 216];

describe("a random program on the real engine, with faults and kills", () => {
  it.concurrent.each(seeds)("recovers with at most one command and an up (seed %i)", async (seed) => {
    const { problems, log } = await runSchedule(generate(seed));
    expect(problems.length > 0 ? [...problems, ...log] : []).toEqual([]);
  });

  it.concurrent("recovers in fast mode, where a killed run has saved nothing of 60 shares", async () => {
    const { problems, log } = await runSchedule(generateFast(2, 60));
    expect(problems.length > 0 ? [...problems, ...log] : []).toEqual([]);
  });
});
