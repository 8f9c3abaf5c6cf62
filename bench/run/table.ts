import { nameOf } from "./cases";
import type { Comparison, Measured } from "./compare";
import type { Name } from "./contender";
import type { Load } from "./load";
import type { Figure } from "./statistics";

interface Results {
  machine: Record<string, unknown>;
  load: Load;
  waiting: Record<string, unknown> | undefined;
  comparisons: Comparison[];
}

const spread = ({ median, least, most }: Figure, digits = 2) =>
  `${median.toFixed(digits)} (${least.toFixed(digits)}–${most.toFixed(digits)})`;

/** The results as Markdown: medians, with the least and the most of the rounds in brackets. */
export function table({ machine, load, waiting, comparisons }: Results): string {
  const lines = [
    Object.entries(machine)
      .map(([key, value]) => `${key} ${typeof value === "string" ? value : JSON.stringify(value)}`)
      .join(", "),
    "",
    ...Object.entries(load).map(
      ([name, { ms, ratio }]) => `Start of ${name}: ${spread(ms, 0)} ms, ${spread(ratio)} × its floor`,
    ),
    ...(waiting ? [`Waiting: ${JSON.stringify(waiting)}`] : []),
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
    `× ${String(base)}`,
    "CPU s",
    "provider CPU s",
    "provider MB",
    "state kB",
    "stored kB",
    "requests",
    "seen late by s",
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
  const { seconds, cpuSeconds, providerCpuSeconds, providerPeakMegabytes, stateBytes, storedBytes, requests, lag } =
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
    (storedBytes.median / 1000).toFixed(0),
    counts.length === 0 ? "none" : counts.join(", "),
    lag ? `${lag.p50.toFixed(2)} (95 %: ${lag.p95.toFixed(2)})` : "",
  ];
  return `| ${cells.join(" | ")} |`;
}
