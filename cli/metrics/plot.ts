import plot from "simple-ascii-chart";
import { safeText } from "../../provider/errors";
import { isColoured, styled } from "../style";
import { type Series, thinned } from "../page/series.js";

const widest = 100;
const heightInLines = 8;
const dayMs = 86_400_000;

/** Returns a series as lines of text: its name, its highest value, and a plot that fits the terminal. */
export function plotOf({ name, unit, points }: Series): string {
  const measured = points.filter((point): point is [number, number] => point[1] !== undefined);
  const known = thinned(measured, 4 * widest);
  const times = known.map(([ms]) => ms);
  const [first = 0, last = 0] = [times[0], times.at(-1)];
  const middle = times[Math.floor(times.length / 2)] ?? first;
  const highest = Math.max(...known.map(([, value]) => value));
  const of = unit === undefined ? "" : ` (${safeText(unit, 40)})`;
  const chart = plot(known, {
    width: Math.max(20, Math.min(widest, (process.stdout.columns || 80) - 15)),
    height: heightInLines,
    customXAxisTicks: [...new Set([first, middle, last])],
    formatter: (value, { axis }) => (axis === "x" ? clock(value, last - first) : short(value)),
    ...(isColoured() && { color: "ansiCyan" as const }),
  });
  return `${styled("bold", safeText(name, 80))}${of}, highest ${short(highest)}\n${chart.replace(/[ \n]+$/gm, "").replace(/^\n+/, "")}\n`;
}

/** Returns a time of day; with the date if the plot has more than one day. */
function clock(ms: number, spanMs: number): string {
  const date = new Date(ms);
  const time = date.toTimeString().slice(0, 5);
  return spanMs < dayMs ? time : `${date.getMonth() + 1}/${date.getDate()} ${time}`;
}

const compact = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 });

/** `1234567` as `1.2M`. */
const short = (value: number): string => compact.format(value);
