import { setMaxListeners } from "node:events";
import { draw } from "./draw";
setMaxListeners(0);
async function main() {
  const [, , from = "1", n = "50"] = process.argv;
  const t = Date.now();
  let bad = 0,
    steps = 0,
    runs = 0,
    over = 0;
  for (let seed = +from; seed < +from + +n; seed++) {
    const { history, played } = await draw(seed);
    steps += history.steps.length;
    runs += played.runs.length;
    if (played.isOver) over++;
    if (played.problems.length) {
      bad++;
      if (bad < 12)
        console.log(
          seed,
          JSON.stringify(history).slice(0, 900),
          "\n   ",
          played.log.slice(-9).join("\n    "),
          "\n  ",
          played.problems.slice(0, 5).join("\n   ").slice(0, 1500),
        );
    }
  }
  console.log({ bad, steps, runs, over, ms: Date.now() - t });
}
void main();
