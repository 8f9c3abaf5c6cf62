import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { cpus, totalmem } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { nameOf, sets } from "./cases";
import { measureCeiling } from "./ceiling";
import { compare, type Comparison } from "./compare";
import { measureLoad } from "./load";
import { plotGrowth } from "./plot";
import { table } from "./table";
import { measureWaiting } from "./waiting";

const usage = `Measures the provider on the real engine against the engine's own floor and a naive provider.

  --quick       a subset, under three minutes
  --grid        every combination of sizes and settings; hours
  --plugin      the provider plugin against one that does nothing, and the dynamic provider beside them; --quick does here, too.
                Also OpenTofu, where TOFU_BIN and RESTAPI_PROVIDER name it and a REST provider (Mastercard/restapi)
  --share-sets  shares as one set, and single ones beside it; --quick does here, too
  --ceiling     a set of 600 shares at the default ceiling: the time of writing that is said beforehand, and what it takes; nothing else
  --back-ends   states in files and in PostgreSQL, whose server is Debian's; --quick does here, too
  --only TEXT   of the cases those with this in their name, such as "300 shares"
  --rounds N    in place of each case's own number
`;

const root = join(__dirname, "..", "..");

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

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      quick: { type: "boolean", default: false },
      grid: { type: "boolean", default: false },
      plugin: { type: "boolean", default: false },
      "share-sets": { type: "boolean", default: false },
      ceiling: { type: "boolean", default: false },
      "back-ends": { type: "boolean", default: false },
      only: { type: "string", default: "" },
      rounds: { type: "string" },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) {
    console.log(usage);
    return;
  }
  mkdirSync(join(root, "bench"), { recursive: true });
  const save = (file: string, results: object) => {
    writeFileSync(join(root, "bench", file), `${JSON.stringify(results, undefined, 2)}\n`);
  };
  if (values.ceiling) {
    const results = { machine: machine(), ceiling: await measureCeiling() };
    console.log(JSON.stringify(results, undefined, 2));
    save("ceiling.json", results);
    return;
  }
  const [quick, standard, file] = values["share-sets"]
    ? (["shareSetsQuick", "shareSets", "share-sets.json"] as const)
    : values["back-ends"]
      ? (["backEndsQuick", "backEnds", "back-ends.json"] as const)
      : values.plugin
        ? (["pluginQuick", "plugin", "plugin.json"] as const)
        : (["quick", "standard", "results.json"] as const);
  const set = values.quick ? quick : values.grid ? "grid" : standard;
  const results = {
    set,
    machine: machine(),
    load: await measureLoad(),
    waiting:
      values.quick || values["share-sets"] || values["back-ends"] || values.only !== ""
        ? undefined
        : await measureWaiting(),
    comparisons: [] as Comparison[],
  };
  for (const each of sets[set].filter((one) => nameOf(one).includes(values.only))) {
    const one = values.rounds === undefined ? each : { ...each, rounds: Number(values.rounds) };
    console.error(nameOf(one));
    results.comparisons.push(await compare(one, console.error));
  }
  console.log(table(results));
  save(file, results);
  if (set === "standard" && values.only === "") plotGrowth(results.comparisons, join(root, "docs", "performance.svg"));
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
