import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { cpus, totalmem } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { nameOf, sets } from "./cases";
import { compare, type Comparison } from "./compare";
import { loadMs } from "./load";
import { plotGrowth } from "./plot";
import { figure } from "./statistics";
import { table } from "./table";
import { measureWaiting } from "./waiting";

const usage = `Measures the provider on the real engine against the engine's own floor and a naive provider.

  --quick       a subset, under three minutes
  --grid        every combination of sizes and settings; hours
  --only TEXT   of the cases those with this in their name, such as "300 shares"
  --rounds N    in place of each case's own number
`;

const root = join(__dirname, "..", "..");
const loadRounds = 7;

/** What it ran on. */
function machine() {
  const { engines, version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as Record<string, unknown>;
  const [cpu] = cpus();
  return {
    date: new Date().toISOString().slice(0, 10),
    processor: `${cpus().length} × ${cpu?.model ?? "?"}`,
    memoryGigabytes: Math.round(totalmem() / 1e9),
    system: process.platform,
    node: execFileSync("node", ["--version"], { encoding: "utf8" }).trim(),
    engine: execFileSync("pulumi", ["version"], { encoding: "utf8" }).trim(),
    package: version,
    engines,
  };
}

async function measureLoad() {
  const values: Record<"floor" | "ours", number[]> = { floor: [], ours: [] };
  for (let round = 0; round <= loadRounds; round++) {
    for (const name of ["floor", "ours"] as const) {
      const ms = await loadMs(name);
      // The first one finds no file in the system's cache.
      if (round > 0) values[name].push(ms);
    }
  }
  const [floor, ours] = [figure(values.floor), figure(values.ours)];
  return { floor, ours, moreMs: figure(values.ours.map((ms, round) => ms - (values.floor[round] ?? NaN))) };
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      quick: { type: "boolean", default: false },
      grid: { type: "boolean", default: false },
      only: { type: "string", default: "" },
      rounds: { type: "string" },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) {
    console.log(usage);
    return;
  }
  const set = values.quick ? "quick" : values.grid ? "grid" : "standard";
  const results = {
    set,
    machine: machine(),
    load: await measureLoad(),
    waiting: set === "quick" || values.only !== "" ? undefined : await measureWaiting(),
    comparisons: [] as Comparison[],
  };
  for (const each of sets[set].filter((one) => nameOf(one).includes(values.only))) {
    const one = values.rounds === undefined ? each : { ...each, rounds: Number(values.rounds) };
    console.error(nameOf(one));
    results.comparisons.push(await compare(one, console.error));
  }
  console.log(table(results));
  mkdirSync(join(root, "bench"), { recursive: true });
  writeFileSync(join(root, "bench", "results.json"), `${JSON.stringify(results, undefined, 2)}\n`);
  if (set === "standard" && values.only === "") plotGrowth(results.comparisons, join(root, "docs", "performance.svg"));
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
