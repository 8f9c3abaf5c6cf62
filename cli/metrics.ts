import plot from "simple-ascii-chart";
import { safeText } from "../provider/errors";
import { connectionOf, type ConnectionOptions, reading } from "./connection";
import { checkWritable, writeText } from "./files";
import { find } from "./find";
import type { Io } from "./io";
import { CheckFailed, Misuse } from "./outcome";
import { styled } from "./output";
import { type Series, seriesIn, thinned } from "./page/series.js";

export interface MetricsOptions extends ConnectionOptions {
  window?: string;
  kind?: "tunnel" | "share";
  svg?: string;
  force?: true;
  json?: true;
}

const windows = ["30m", "1h", "1d", "7d"];

/** Plots the time series in the answer. If there are none, prints the answer as it is: the specification does not show its shape. */
export async function metrics(io: Io, text: string, options: MetricsOptions): Promise<void> {
  const { window, kind, svg, force: isForced = false, json: isJson = false } = options;
  if (window !== undefined && !/^[A-Za-z0-9][A-Za-z0-9.:_-]{0,31}$/.test(window))
    throw new Misuse("--window must be a span of time such as 1h. [invalid-option]");
  if (svg !== undefined) checkWritable(io, svg, isForced);
  const { config, frontdoorId } = await connectionOf(io, options);
  const { body, title } = await reading(io, config, async (reads) => {
    const found = await find(io, reads, { kinds: kind ? [kind] : ["tunnel", "share"], text, frontdoorId });
    const { id, name } = found.entry;
    const title = `${safeText(name, 80)} (${id})`;
    const at = { id, frontdoorId };
    if (found.kind === "share")
      return { body: await reads.getShareMetrics({ ...at, ...(window && { duration: window }) }), title };
    if (window !== undefined && !windows.includes(window))
      throw new Misuse(`--window of a tunnel must be one of ${windows.join(", ")}. [invalid-option]`);
    return { body: await reads.getTunnelMetrics({ ...at, ...(window && { window }) }), title };
  });

  const series = seriesIn(body);
  if (svg !== undefined) {
    if (isJson && series.length === 0) io.printJson({ metrics: body });
    if (series.length === 0)
      throw new CheckFailed("the response holds no time series to plot. Use --json instead of --svg. [no-series]");
    const { svgOf } = await import("./metrics/svg.js");
    writeText(io, svg, svgOf(title, series), { isForced });
    if (isJson) io.printJson({ metrics: body, written: svg });
    io.say(`${svg}: written`);
  } else if (isJson) io.printJson(body);
  else if (series.length === 0) {
    io.say("the response holds no time series. This is the response:");
    io.printJson(body);
  } else io.print(`${title}\n\n${series.map((each) => plotOf(io, each)).join("\n")}`);
}

const widest = 100;
const heightInLines = 8;
const dayMs = 86_400_000;

/** Returns a series as lines of text: its name, its highest value, and a plot that fits the terminal. */
export function plotOf(
  { isColoured, stdout }: Pick<Io, "isColoured" | "stdout">,
  { name, unit, points }: Series,
): string {
  const measured = points.filter((point): point is [number, number] => point[1] !== undefined);
  const known = thinned(measured, 4 * widest);
  const times = known.map(([ms]) => ms);
  const [first = 0, last = 0] = [times[0], times.at(-1)];
  const middle = times[Math.floor(times.length / 2)] ?? first;
  const highest = Math.max(...known.map(([, value]) => value));
  const of = unit === undefined ? "" : ` (${safeText(unit, 40)})`;
  const chart = plot(known, {
    width: Math.max(20, Math.min(widest, (stdout.columns ?? 80) - 15)),
    height: heightInLines,
    customXAxisTicks: [...new Set([first, middle, last])],
    formatter: (value, { axis }) => (axis === "x" ? clock(value, last - first) : short(value)),
    ...(isColoured && { color: "ansiCyan" as const }),
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
