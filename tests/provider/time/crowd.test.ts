import { Crowd } from "../../../provider/time/crowd";
import { VirtualClock } from "../virtual-clock";

/** What is said while so many operations are under way together, each so long, one run of them after the other. */
async function saidOf(...runs: { count: number; seconds: number }[]): Promise<string[]> {
  const clock = new VirtualClock(() => undefined);
  const said: string[] = [];
  const crowd = new Crowd(clock, (line) => said.push(line));
  for (const { count, seconds } of runs)
    await Promise.all(Array.from({ length: count }, () => crowd.during(() => clock.sleep(seconds * 1000))));
  return said;
}

describe("a crowd of resources that wait", () => {
  it("is told of once, with what lets more wait", async () => {
    expect(await saidOf({ count: 4, seconds: 31 }, { count: 8, seconds: 60 })).toEqual([
      "frontdoor: 4 resources have been waiting together for 30 s; --parallel 256 (or PULUMI_PARALLEL=256) lets more wait at once",
    ]);
  });

  it("is told of when there are four at last", async () => {
    expect(await saidOf({ count: 3, seconds: 300 }, { count: 9, seconds: 31 })).toEqual([
      expect.stringContaining("frontdoor: 9 resources") as string,
    ]);
  });

  it.each([
    ["there are three", { count: 3, seconds: 600 }],
    ["it takes less than half a minute", { count: 50, seconds: 29 }],
  ])("is nothing to speak of where %s", async (_what, run) => {
    expect(await saidOf(run, run)).toEqual([]);
  });
});
