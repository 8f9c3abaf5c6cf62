import { readFileSync } from "node:fs";
import { join } from "node:path";
import { runSchedule } from "./run-schedule";
import type { Schedule } from "./schedule";

/** Schedules that once failed, each called after what went wrong. */
const found = JSON.parse(readFileSync(join(__dirname, "found.json"), "utf8")) as Record<string, Schedule>;

describe("a schedule that once failed", () => {
  it.concurrent.each(Object.entries(found))("holds: %s", async (_name, schedule) => {
    const { problems, log } = await runSchedule(schedule);
    expect(problems.length > 0 ? [...problems, ...log] : []).toEqual([]);
  });
});
