import { killPointNames, killPoints } from "./kill-points";
import { runSchedule } from "./run-schedule";

/** One of the ten of every other operation here, another boundary each time; `npm run chaos -- --kill-points` runs all sixty. */
const some = killPoints()
  .map((schedule, index) => [killPointNames[index] ?? "", schedule] as const)
  .filter((_, index) => index % 22 === 2);

describe("a process killed on the real engine", () => {
  it.concurrent.each(some)("recovers with at most one command and an up: %s", async (_name, schedule) => {
    const { problems, kills, log } = await runSchedule(schedule);
    expect({ problems, kills, log }).toMatchObject({ problems: [], kills: 1 });
  });
});
