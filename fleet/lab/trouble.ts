// 10 front doors with 3 stacks each, of which one front door refuses and one worker is killed in the middle; N times in a row.
import { parseArgs } from "node:util";
import { troubleRound } from "./trouble-round.ts";

const { values } = parseArgs({
  options: { times: { type: "string", default: "1" }, first: { type: "string", default: "1" } },
});
const first = Number(values.first);
const last = first + Number(values.times) - 1;
let failed = 0;
for (let round = first; round <= last; round++) {
  // Another moment each time, over the whole run: 27 stacks send two POSTs each.
  const killAfterPosts = 1 + ((round * 17) % 48);
  const startedMs = Date.now();
  try {
    await troubleRound({ frontDoors: 10, stacksEach: 3, killAfterPosts });
    console.log(
      `round ${round}: right, worker killed after ${killAfterPosts} POSTs, ${Math.round((Date.now() - startedMs) / 1000)} s`,
    );
  } catch (error) {
    failed += 1;
    console.log(`round ${round}: WRONG, worker killed after ${killAfterPosts} POSTs: ${String(error)}`);
  }
}
console.log(`${last - first + 1 - failed} of ${last - first + 1} right`);
process.exitCode = failed > 0 ? 1 : 0;
