import { Waves } from "../../provider/hosts/dynamic/waves";
import { Random } from "../chaos/random";
import { VirtualClock } from "./virtual-clock";

interface Run {
  count: number;
  parallel: number;
  seconds: number | [least: number, most: number];
  /** What the engine needs to hand out the next one. */
  apartMs?: number;
}

/** What is said while so many operations run, at most some at a time. */
async function saidOf({ count, parallel, seconds, apartMs = 0 }: Run) {
  const clock = new VirtualClock(() => undefined);
  const random = new Random(7);
  const said: string[] = [];
  const waves = new Waves(clock, (line) => said.push(line));
  const [least, most] = Array.isArray(seconds) ? seconds : [seconds, seconds];
  let left = count;
  let lastMs = 0;
  const slot = async () => {
    while (left-- > 0) {
      lastMs = Math.max(clock.now(), lastMs + apartMs);
      await clock.sleep(lastMs - clock.now());
      await waves.during(() => clock.sleep((least + random.next() * (most - least)) * 1000));
    }
  };
  await Promise.all(Array.from({ length: parallel }, slot));
  return said;
}

describe("a run that waits in waves", () => {
  it("says so once, and what to do", async () => {
    const said = await saidOf({ count: 100, parallel: 8, seconds: 3 });
    expect(said).toEqual([expect.stringMatching(/^frontdoor: .* 8 resources at a time.*--parallel 256/)]);
  });

  it.each<[number, Run]>([
    [2, { count: 40, parallel: 2, seconds: 5 }],
    [3, { count: 40, parallel: 3, seconds: 5, apartMs: 5 }],
    [8, { count: 20, parallel: 8, seconds: 5, apartMs: 5 }],
    [8, { count: 100, parallel: 8, seconds: [3, 20] }],
    [16, { count: 100, parallel: 16, seconds: 60, apartMs: 150 }],
  ])("says so at %d at a time: %j", async (parallel, run) => {
    expect(await saidOf(run)).toEqual([expect.stringContaining(` ${parallel} resources at a time`)]);
  });

  it.each<[string, Run]>([
    ["all run at once", { count: 100, parallel: 100, seconds: 3 }],
    ["nothing takes long", { count: 100, parallel: 8, seconds: 0.2 }],
    ["there are hardly more than run at a time", { count: 20, parallel: 16, seconds: 3 }],
    ["they begin one after the other, whatever ends", { count: 300, parallel: 256, seconds: 2, apartMs: 70 }],
    ["the same in other times", { count: 300, parallel: 256, seconds: [1.2, 1.5], apartMs: 100 }],
    ["they follow from one another", { count: 20, parallel: 2, seconds: 3 }],
  ])("says nothing where %s", async (_what, run) => {
    expect(await saidOf(run)).toEqual([]);
  });
});
