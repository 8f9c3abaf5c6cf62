import { setMaxListeners } from "node:events";
import { conforms, playOnPulumi } from "./pulumi";
import { draw } from "./history";
import { find, planted } from "./planted";
import { root } from "../harness/folder";

setMaxListeners(0);
jest.setTimeout(3_600_000);

/** Others each night; a failure prints what to run again. */
const fresh = Date.now() % 1_000_000_000;
const seeds = (count: number) => Array.from({ length: count }, (_, n) => fresh + n);

describe("random histories", () => {
  it.concurrent.each(seeds(20))(
    "end as the programs declare on Pulumi (npm run chaos -- --runs 1 --seed %i)",
    async (seed) => {
      const { problems, log } = await playOnPulumi((await draw(seed)).history);
      expect(problems.length > 0 ? [...problems, ...log] : []).toEqual([]);
    },
  );

  it.concurrent.each(seeds(40))("end as on the model (npm run chaos -- --conform 1 --seed %i)", async (seed) => {
    expect((await conforms(seed)).differences).toEqual([]);
  });

  it(`end as the programs declare in virtual time (npm run chaos -- --virtual --runs 5000 --seed ${fresh})`, async () => {
    const failed: object[] = [];
    for (let seed = fresh; seed < fresh + 5_000; seed++) {
      const { history, played } = await draw(seed);
      if (played.problems.length > 0) failed.push(history, played.problems);
    }
    expect(failed).toEqual([]);
  });
});

describe("the walk finds the planted bug", () => {
  it.each(planted)("$name", async (bug) => {
    expect(await find(root, bug, [0, 1])).toMatchObject({ violation: expect.any(String) as string });
  });
});
