import { parseArgs } from "node:util";
import { generate, generateFast } from "./generate";
import { killPointNames, killPoints } from "./kill-points";
import { runSchedule } from "./run-schedule";
import type { Schedule } from "./schedule";
import { shrink } from "./shrink";
import { coverage, drawn, reasons } from "./tally";

const usage = `Runs random programs on the real engine while the service fails, runs are cancelled and processes are killed.

  --runs N            how many schedules (default 20)
  --seed S            the first one's seed; the others follow (default: from the clock)
  --workers W         how many at a time (default 2)
  --kill-points       engine and provider killed at each boundary of each write, in place of random schedules
  --fast              in fast mode: the first up of 200 shares, killed at any moment
  --only TEXT         of the kill points those with this in their name, such as "tunnel delete"
  --host plugin       with the plugin's classes in place of the dynamic ones; imports are among the edits then
  --schedule JSON     this one alone
  --no-shrink         do not look for a smaller schedule that fails too
`;

const options = {
  runs: { type: "string", default: "20" },
  seed: { type: "string", default: String(Date.now() % 1_000_000_000) },
  workers: { type: "string", default: "2" },
  "kill-points": { type: "boolean", default: false },
  fast: { type: "boolean", default: false },
  only: { type: "string", default: "" },
  host: { type: "string" },
  schedule: { type: "string" },
  "no-shrink": { type: "boolean", default: false },
  help: { type: "boolean", default: false },
} as const;

async function main(): Promise<number> {
  const { values } = parseArgs({ options });
  const say = (line: string) => process.stdout.write(`${line}\n`);
  if (values.help) {
    say(usage);
    return 0;
  }
  const [seed, runs, workers] = [values.seed, values.runs, values.workers].map(Number);
  if (![seed, runs, workers].every((value) => Number.isInteger(value) && Number(value) >= 0)) throw new Error(usage);
  const { host } = values;
  if (host !== undefined && host !== "plugin") throw new Error(usage);
  const schedules: Schedule[] =
    values.schedule !== undefined
      ? [JSON.parse(values.schedule) as Schedule]
      : values["kill-points"]
        ? killPoints().filter((_, index) => killPointNames[index]?.includes(values.only))
        : Array.from({ length: runs ?? 0 }, (_, n) => (seed ?? 0) + n).map((each) =>
            values.fast ? generateFast(each) : generate(each, host),
          );

  const isRandom = values.schedule === undefined && !values["kill-points"] && !values.fast;
  if (isRandom) for (const line of drawn(schedules)) say(line);
  const startedMs = Date.now();
  const done: Schedule[] = [];
  const refusals: string[] = [];
  const total = { passed: 0, failed: 0, kills: 0, cancels: 0, doubleCancels: 0, imports: 0, runs: 0 };
  const queue: Schedule[] = schedules.map((schedule) => (host ? { ...schedule, host } : schedule));
  const work = async () => {
    for (let schedule = queue.shift(); schedule; schedule = queue.shift()) {
      const begunMs = Date.now();
      const report = await runSchedule(schedule);
      const seconds = `${Math.round((Date.now() - begunMs) / 1000)} s`;
      done.push(schedule);
      refusals.push(...report.refusals);
      for (const each of ["runs", "kills", "cancels", "doubleCancels", "imports"] as const) total[each] += report[each];
      const name = values["kill-points"] ? (killPointNames[schedule.seed] ?? "") : `seed ${schedule.seed}`;
      if (report.problems.length === 0) {
        total.passed += 1;
        say(`ok      ${name}, ${seconds}: ${report.log.join("; ")}`);
        continue;
      }
      total.failed += 1;
      say(`FAILED  ${name}, ${seconds}: ${report.log.join("; ")}\n        ${report.problems.join("\n        ")}`);
      const small = values["no-shrink"] ? schedule : await shrink(schedule);
      say(`        replay: npm run chaos -- --schedule '${JSON.stringify(small).replaceAll("'", "'\\''")}'`);
    }
  };
  await Promise.all(Array.from({ length: Math.max(1, workers ?? 1) }, work));
  if (isRandom) for (const line of [...coverage(done, refusals), ...reasons(refusals)]) say(line);
  const took = Math.round((Date.now() - startedMs) / 1000);
  say(
    `${total.passed} passed, ${total.failed} failed; ${schedules.length} schedules from seed ${String(seed)}, ` +
      `${total.runs} engine runs, ${total.kills} kills, ${total.cancels} cancelled (${total.doubleCancels} twice), ` +
      `${total.imports} imported, ${took} s, ${(took / Math.max(1, schedules.length)).toFixed(1)} s a schedule`,
  );
  return total.failed === 0 ? 0 : 1;
}

main().then(
  (code) => (process.exitCode = code),
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
    process.exitCode = 1;
  },
);
