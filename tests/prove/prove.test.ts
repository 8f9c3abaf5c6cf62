import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../harness/folder";
import { jobs } from "./jobs";
import { planted } from "./planted";
import { testPairs, testWalks } from "./walk-tests";

// prove.all.test.ts continues from every world, and tries pairs on each variant of the service.
testWalks({ everyNthFault: 51, countsFrom: 0, stride: 6 });
testPairs(0, jobs);

describe("planted bugs", () => {
  it("have their places in the sources", () => {
    for (const { file, from } of planted.flatMap(({ patches }) => patches))
      expect([file, from, readFileSync(join(root, file), "utf8").split(from).length - 1]).toEqual([file, from, 1]);
  });
});
