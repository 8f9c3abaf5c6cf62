import { type Plan, simulate } from "../bench/simulate/simulate";

/** Few sites on a quick service; each test bends one thing. */
const plan: Plan = {
  sites: 12,
  shares: 3,
  frontDoors: 3,
  stacksAtOnce: 6,
  stacksPerFrontDoor: 2,
  ceilingPerSecond: 20,
  limitPerSecond: null,
  engineStartMs: 1_000,
  tunnelSeconds: 20,
  shareSeconds: 5,
  roundTripMs: 50,
  outages: () => [],
  seed: 1,
};

describe("the simulation of a fleet", () => {
  it("brings every site up once", async () => {
    const { doneMs, refused, repeated, lostWrites, duplicates } = await simulate(plan);
    expect({ sites: doneMs.length, refused, repeated, lostWrites, duplicates }).toEqual({
      ...{ sites: 12, refused: 0, repeated: 0, lostWrites: 0, duplicates: 0 },
    });
    // Two after the other in each of six slots, each as long as tunnel and shares take at the least.
    expect(Math.max(...doneMs)).toBeGreaterThan(2 * 0.75 * 25_000);
  });

  it("runs again alike with the same seed, and otherwise with another", async () => {
    const [first, again, other] = [await simulate(plan), await simulate(plan), await simulate({ ...plan, seed: 2 })];
    expect(again).toEqual(first);
    expect(other.doneMs).not.toEqual(first.doneMs);
  });

  it("holds the ceilings of the stacks on a front door, all of them together", async () => {
    const { mostPerSecond } = await simulate({ ...plan, ceilingPerSecond: 3 });
    expect(mostPerSecond).toBeLessThanOrEqual(2 * 3);
    expect((await simulate(plan)).mostPerSecond).toBeGreaterThan(2 * 3);
  });

  it("comes to an end where a front door refuses what is too much", async () => {
    const { doneMs, refused, duplicates } = await simulate({ ...plan, limitPerSecond: 4 });
    expect(refused).toBeGreaterThan(0);
    expect({ sites: doneMs.length, duplicates }).toEqual({ sites: 12, duplicates: 0 });
  });

  it("makes nothing twice where answers are lost and runs are repeated", async () => {
    const outages = () => [0, 1, 2].map((n) => ({ fromMs: n * 120_000, toMs: n * 120_000 + 70_000 }));
    const { doneMs, lostWrites, repeated, duplicates } = await simulate({ ...plan, outages });
    expect({ sites: doneMs.length, duplicates }).toEqual({ sites: 12, duplicates: 0 });
    expect(lostWrites).toBeGreaterThan(0);
    expect(repeated).toBeGreaterThan(0);
  });
});
