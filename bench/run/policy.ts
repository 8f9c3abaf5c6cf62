import { readFileSync } from "node:fs";
import { cpus } from "node:os";
import { join } from "node:path";
import type { Stack } from "../../tests/harness/stack";
import { openProgram, pack, reported, settingsFile } from "../../tests/policy/run";

// What the pack adds to a preview: rounds of previews without, with an empty and with this pack, in turn, so that the machine's
// moods hit all alike.
//   node -r ts-node/register/transpile-only bench/run/policy.ts [rounds] [shares] [set]
const [count = 5, shares = 1000] = process.argv.slice(2, 4).map(Number);
const asSet = process.argv[4] === "set";

const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;

/** Processor seconds of this process's ended children and theirs, user and system (Linux: proc_pid_stat(5), cutime and cstime). */
function childSeconds(): number {
  const fields = readFileSync("/proc/self/stat", "utf8").split(") ")[1]?.split(" ") ?? [];
  return (Number(fields[13]) + Number(fields[14])) / 100;
}

interface Cost {
  wall: number;
  processor: number;
}

async function costOf(stack: Stack, ...flags: string[]): Promise<Cost> {
  const [startedMs, before] = [performance.now(), childSeconds()];
  // A global flag first, and the run has no event log, which tests read and which grows with every policy and resource.
  const run = await stack.run("--cwd", stack.folder, "preview", ...flags);
  if (run.code !== 0 || reported(run).length > 0) throw new Error(run.text);
  return { wall: (performance.now() - startedMs) / 1000, processor: childSeconds() - before };
}

const ways = ["without a pack", "with an empty pack", "with this pack"] as const;
type Way = (typeof ways)[number];

async function main(): Promise<void> {
  process.env["SHARES"] = String(shares);
  process.env["AS_SET"] = asSet ? "yes" : "";
  const stack = await openProgram("shares.js");
  // All of a set are on one tunnel.
  const settings = settingsFile(stack, {
    "limit-shares-per-tunnel": { enforcementLevel: "mandatory", maxShares: shares },
  });
  const flags: Record<Way, string[]> = {
    "without a pack": [],
    "with an empty pack": ["--policy-pack", join(__dirname, "programs", "empty-pack")],
    "with this pack": ["--policy-pack", pack, "--policy-pack-config", settings],
  };
  const each = async () => {
    const costs = {} as Record<Way, Cost>;
    for (const way of ways) costs[way] = await costOf(stack, ...flags[way]);
    return costs;
  };
  try {
    // The first runs fill caches.
    await each();
    const rounds: Record<Way, Cost>[] = [];
    for (let round = 0; round < count; round++) rounds.push(await each());
    const what = asSet ? "shares in a set" : "shares";
    console.log(`${shares} ${what}, ${count} rounds, ${cpus().length} cores, Node ${process.version}`);
    for (const kind of ["wall", "processor"] as const) {
      const costs = (way: Way) => rounds.map((round) => round[way][kind]);
      const added = (way: Way, over: Way) => {
        const all = costs(way).map((cost, round) => 100 * (cost / (costs(over)[round] ?? NaN) - 1));
        return `${median(all).toFixed(0)} % (${all.map((value) => value.toFixed(0)).join(", ")})`;
      };
      for (const way of ways)
        console.log(`${kind} ${way}: median ${median(costs(way)).toFixed(1)} s, added ${added(way, "without a pack")}`);
      console.log(`${kind} of this pack over an empty one: ${added("with this pack", "with an empty pack")}`);
    }
  } finally {
    await stack.close();
  }
}

void main();
