import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { cpus, totalmem } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { compare, type Comparison, type Figure, type Load, type Measured, measureLoad } from "./compare";
import type { Case, Name, Own } from "./contender";

const usage = `Measures the provider on the real engine, and prints a table. Each contender has its own stack and its own emulator.

  --plugin        the plugin and its floor, and the dynamic provider
  --share-sets    1,000 shares as one set, single ones, and a program without resources
  --default-rate  200 and 400 shares, as a set and as single ones, at the default of 20 requests a second; the floor is a program
                  without resources, with the time of the writes
  --other PATH    this checkout and another one that is built, such as one of an older commit
  --waiting       1,000 shares that wait for 30 s: the memory of the provider
  --quick         few shares: under three minutes
  --only TEXT     of the cases those with this in their name, such as "300 shares"
  --rounds N      in place of each case's own number
`;

const root = join(__dirname, "..");
const all = ["up", "preview", "refresh", "destroy"] as const;
const inRounds = { commands: all, rounds: 5, latencyMs: 0, provisionSeconds: 0 } as const;
const againstFloor = { ...inRounds, contenders: ["floor", "ours"] } as const;
const ofPlugin = { ...inRounds, contenders: ["hello", "plugin", "ours"], parallel: 256, provisionSeconds: 2 } as const;
const ofSet = {
  ...inRounds,
  commands: ["up", "preview", "edit", "refresh", "destroy"],
  provisionSeconds: 2,
  rounds: 3,
} as const;

const withOther = (own: Own, shares: number, checkpoints: boolean): Case => ({
  ...{ ...ofSet, contenders: [`other ${own}`, own], shares, parallel: 256, checkpoints },
});

const sets = {
  other: [
    withOther("ours", 300, true),
    withOther("plugin", 300, true),
    withOther("set", 1000, true),
    withOther("pluginSet", 1000, true),
  ],
  floor: [
    { ...againstFloor, shares: 300, parallel: 8, checkpoints: true },
    { ...againstFloor, shares: 1000, parallel: 256, checkpoints: false },
  ],
  plugin: [
    { ...ofPlugin, shares: 300, checkpoints: true },
    { ...ofPlugin, shares: 1000, checkpoints: false, rounds: 3 },
  ],
  "share-sets": [
    { ...ofSet, contenders: ["empty", "set", "pluginSet"], shares: 1000, parallel: 8, checkpoints: true },
    { ...ofSet, contenders: ["ours", "plugin"], shares: 1000, parallel: 256, checkpoints: false },
  ],
  "default-rate": [200, 400].map((shares) => ({
    ...{ ...ofSet, commands: ["up", "destroy"], contenders: ["empty", "set", "pluginSet", "ours", "plugin"], shares },
    ...{ parallel: 1100, checkpoints: false, requestsPerSecond: 20, deletedListed: false },
  })),
  waiting: [
    {
      ...{ ...inRounds, commands: ["up"], rounds: 1, contenders: ["floor", "ours", "hello", "plugin"] },
      ...{ shares: 1000, parallel: 1100, checkpoints: false, provisionSeconds: 30 },
    },
  ],
} satisfies Record<string, Case[]>;

const nameOf = ({ shares, parallel, checkpoints, provisionSeconds, latencyMs, requestsPerSecond }: Case): string =>
  [
    `${shares} shares`,
    `parallelism ${parallel}`,
    checkpoints ? "checkpoints" : "fast mode",
    `${provisionSeconds} s`,
    `${latencyMs} ms`,
    ...(requestsPerSecond === undefined ? [] : [`${requestsPerSecond} requests a second`]),
  ].join(", ");

/** What it ran on. */
function machine() {
  const [cpu] = cpus();
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as Record<string, unknown>;
  return {
    date: new Date().toISOString().slice(0, 10),
    processor: `${cpus().length} × ${cpu?.model ?? "?"}`,
    memoryGigabytes: Math.round(totalmem() / 1e9),
    node: execFileSync("node", ["--version"], { encoding: "utf8" }).trim(),
    engine: execFileSync("pulumi", ["version"], { encoding: "utf8" }).trim(),
    package: version,
  };
}

async function main(): Promise<void> {
  const flag = { type: "boolean", default: false } as const;
  const { values } = parseArgs({
    options: {
      ...{ plugin: flag, "share-sets": flag, "default-rate": flag, waiting: flag, quick: flag, help: flag },
      other: { type: "string" },
      only: { type: "string", default: "" },
      rounds: { type: "string" },
    },
  });
  if (values.help) {
    console.log(usage);
    return;
  }
  const name =
    (["other", "plugin", "share-sets", "default-rate", "waiting"] as const).find((each) => values[each]) ?? "floor";
  if (values.other !== undefined) process.env["BENCH_OTHER"] = resolve(values.other);
  const cases: Case[] = values.quick ? [{ ...sets[name][0], shares: 30 } as Case] : sets[name];
  const results = { machine: machine(), load: await measureLoad(), comparisons: [] as Comparison[] };
  for (const each of cases.filter((one) => nameOf(one).includes(values.only))) {
    console.error(nameOf(each));
    const rounds = Number(values.rounds ?? each.rounds);
    results.comparisons.push(await compare({ ...each, rounds }, console.error));
  }
  console.log(table(results));
}

interface Results {
  machine: Record<string, unknown>;
  load: Load;
  comparisons: Comparison[];
}

const spread = ({ median, least, most }: Figure, digits = 2) =>
  `${median.toFixed(digits)} (${least.toFixed(digits)}–${most.toFixed(digits)})`;

/** The results as Markdown: medians, with the least and the most of the rounds in brackets. */
function table({ machine, load, comparisons }: Results): string {
  const lines = [
    Object.entries(machine)
      .map(([key, value]) => `${key} ${typeof value === "string" ? value : JSON.stringify(value)}`)
      .join(", "),
    "",
    ...Object.entries(load).map(
      ([name, { ms, ratio }]) => `Start of ${name}: ${spread(ms, 0)} ms, ${spread(ratio)} × its floor`,
    ),
  ];
  for (const comparison of comparisons) lines.push("", ...comparisonLines(comparison));
  return lines.join("\n");
}

function comparisonLines({ case: one, measured, ratios, shareBytes }: Comparison): string[] {
  const [base] = one.contenders;
  const head = [
    "command",
    "contender",
    "s",
    `× ${one.requestsPerSecond === undefined ? String(base) : "floor"}`,
    "CPU s",
    "provider CPU s",
    "provider MB",
    "state kB",
    "first to last request s",
    "requests",
  ];
  const rows = one.commands.flatMap((command) =>
    one.contenders.map((name) => row(command, name, measured[command]?.[name], ratios[command]?.[name])),
  );
  return [
    `### ${nameOf(one)}, ${one.rounds} rounds`,
    "",
    `State of a share: ${Object.entries(shareBytes)
      .map(([name, bytes]) => `${name} ${bytes} bytes`)
      .join(", ")}`,
    "",
    `| ${head.join(" | ")} |`,
    `| ${head.map(() => "---").join(" | ")} |`,
    ...rows,
  ];
}

function row(command: string, name: Name, measured: Measured | undefined, ratio: Figure | undefined): string {
  if (!measured || !ratio) return "";
  const { seconds, cpuSeconds, providerCpuSeconds, providerPeakMegabytes, stateBytes, requestSeconds, requests } =
    measured;
  const counts = Object.entries(requests).map(([kind, count]) => `${count} ${kind}`);
  const cells = [
    command,
    name,
    spread(seconds),
    spread(ratio),
    cpuSeconds.median.toFixed(1),
    providerCpuSeconds.median.toFixed(1),
    providerPeakMegabytes.median.toFixed(0),
    (stateBytes / 1000).toFixed(0),
    spread(requestSeconds),
    counts.length === 0 ? "none" : counts.join(", "),
  ];
  return `| ${cells.join(" | ")} |`;
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
