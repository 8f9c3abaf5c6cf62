import { generate, generateFast } from "./generate";
import { runSchedule } from "./run-schedule";
import { removeTemplate } from "./stack";

/** A dozen schedules that hold kills of each process at each boundary, replacements, destroys and most faults. */
const seeds = [3, 5, 7, 8, 9, 10, 12, 14, 16, 17, 21, 24];

describe("a random program on the real engine, with faults and kills", () => {
  afterAll(removeTemplate);

  it.concurrent.each(seeds)("recovers with at most one command and an up (seed %i)", async (seed) => {
    const { problems, log } = await runSchedule(generate(seed));
    expect({ problems, log }).toMatchObject({ problems: [] });
  });

  it.concurrent("recovers in fast mode, where a killed run has saved nothing of 60 shares", async () => {
    const { problems, log } = await runSchedule(generateFast(2, 60));
    expect({ problems, log }).toMatchObject({ problems: [] });
  });
});
