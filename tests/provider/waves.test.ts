import { Waves } from "../../provider/hosts/waves";
import { VirtualClock } from "./virtual-clock";

/** What is said while so many operations run, at most some at a time. */
async function saidOf({ count, parallel, seconds }: { count: number; parallel: number; seconds: number }) {
  const clock = new VirtualClock(() => undefined);
  const said: string[] = [];
  const waves = new Waves(clock, (line) => said.push(line));
  let left = count;
  const slot = async () => {
    while (left-- > 0) await waves.during(() => clock.sleep(seconds * 1000));
  };
  await Promise.all(Array.from({ length: parallel }, slot));
  return said;
}

describe("a run that waits in waves", () => {
  it("says so once, and what to do", async () => {
    const said = await saidOf({ count: 100, parallel: 8, seconds: 3 });
    expect(said).toEqual([expect.stringMatching(/^frontdoor: .* 8 resources at a time.*--parallel 256/)]);
  });

  it.each([
    ["all run at once", { count: 100, parallel: 100, seconds: 3 }],
    ["nothing takes long", { count: 100, parallel: 8, seconds: 0.2 }],
    ["there are hardly more than run at a time", { count: 20, parallel: 16, seconds: 3 }],
    ["they follow from one another", { count: 20, parallel: 2, seconds: 3 }],
  ])("says nothing where %s", async (_what, run) => {
    expect(await saidOf(run)).toEqual([]);
  });
});
