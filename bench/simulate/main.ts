import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { ceilings } from "./ceilings";
import { costs } from "./costs";
import { csv, type Line, plot } from "./plot";
import { scenarios, usual } from "./scenarios";
import { type Outcome, type Plan, simulate } from "./simulate";

const usage = `Brings sites up in virtual time: the provider's core, a model of the engine, and the emulator; each site is a stack of its own.

  --sites N         in all (10000)
  --front-doors N   that they are spread over (100)
  --simulated N     of the front doors so many are simulated, with their share of the stacks that run at once; counts are
                    multiplied (10)
  --at-once N       stacks that run at once, in all (400)
  --each N          and on each front door (8)
  --seed N          another one gives other times on the way and of the service (1)
  --out FOLDER      where curves (SVG) and their points (CSV) go (docs/images)
`;

const minutes = (ms: number) => ms / 60_000;

/** Points by the minute: sites that are complete by then, and requests a second during it. */
function curves({ doneMs, perSecond }: Outcome, times: number) {
  const last = Math.ceil(perSecond.length / 60);
  const all = Array.from({ length: last + 1 }, (_, minute) => minute);
  const done = all.map((minute) => times * doneMs.filter((ms) => minutes(ms) <= minute).length);
  const requests = all.slice(0, -1).map((minute) => {
    const during = perSecond.slice(minute * 60, minute * 60 + 60);
    return (times * during.reduce((sum, count) => sum + count, 0)) / 60;
  });
  return { done, requests };
}

async function main(): Promise<void> {
  const text = (value: string) => ({ type: "string", default: value }) as const;
  const { values } = parseArgs({
    options: {
      ...{ sites: text("10000"), "front-doors": text("100"), simulated: text("10"), "at-once": text("400") },
      ...{ each: text("8"), seed: text("1") },
      out: { type: "string", default: join(__dirname, "..", "..", "docs", "images") },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) {
    console.log(usage);
    return;
  }
  const frontDoors = Number(values["front-doors"]);
  const simulated = Math.min(frontDoors, Number(values.simulated));
  const times = frontDoors / simulated;
  const plan: Omit<Plan, "outages"> = {
    sites: Math.round(Number(values.sites) / times),
    frontDoors: simulated,
    stacksAtOnce: Math.round(Number(values["at-once"]) / times),
    stacksPerFrontDoor: Number(values.each),
    seed: Number(values.seed),
    ...usual,
  };
  const file = (name: string) => join(values.out, name);
  mkdirSync(values.out, { recursive: true });

  console.log(`Requests of a site with ${plan.shares} shares: ${JSON.stringify(await costs(plan))}\n`);

  console.log(`${plan.sites} sites on ${simulated} front doors are simulated; counts × ${times}`);
  const rows: (string | number)[][] = [["scenario", "minute", "sites complete", "requests a second"]];
  const [done, requests]: [Line[], Line[]] = [[], []];
  for (const [name, outages] of Object.entries(scenarios)) {
    const startedMs = performance.now();
    const outcome = await simulate({ ...plan, outages: (n) => outages(Math.round(n * times)) });
    const curve = curves(outcome, times);
    const points = (ys: number[]) => ys.map((y, minute): [number, number] => [minute, Math.round(y * 10) / 10]);
    done.push({ name, points: points(curve.done) });
    requests.push({ name, points: points(curve.requests) });
    for (const [minute, y] of points(curve.requests)) rows.push([name, minute, curve.done[minute] ?? 0, y]);
    const { doneMs, repeated, mostPerSecond, refused, lostWrites, duplicates } = outcome;
    const summary = { repeated, mostPerSecond, requests: outcome.requests, refused, lostWrites, duplicates };
    const tookSeconds = Math.round((performance.now() - startedMs) / 1000);
    console.log(`${name}: ${minutes(doneMs.at(-1) ?? 0).toFixed(1)} minutes, ${JSON.stringify(summary)}`);
    console.log(`  (simulated in ${tookSeconds} s)`);
  }
  const x = { name: "minutes" };
  plot(file("scale-sites.svg"), { title: "Sites that are complete", x, y: "sites", lines: done });
  plot(file("scale-requests.svg"), { title: "Requests a second, all front doors", x, y: "a second", lines: requests });
  writeFileSync(file("scale-sites.csv"), csv(rows));

  await ceilings(plan, file);
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
