import { safeText } from "../provider/errors";
import { configuredFrontDoor, type ConfigOptions, reading } from "./shared/configuration";
import { find } from "./shared/find";
import type { Io } from "./shared/io";
import { Misuse } from "./shared/outcome";
import { styled } from "./shared/output";
import { type Series, seriesIn } from "./dashboard/page/series.js";

export interface MetricsOptions extends ConfigOptions {
  window?: string;
  kind?: "tunnel" | "share";
  json?: true;
}

const windows = ["30m", "1h", "1d", "7d"];

/** Plots the time series in the answer. If there are none, prints the answer as it is: the specification does not show its shape. */
export async function metrics(io: Io, text: string, options: MetricsOptions): Promise<void> {
  const { window, kind, json: isJson = false } = options;
  if (window !== undefined && !/^[A-Za-z0-9][A-Za-z0-9.:_-]{0,31}$/.test(window))
    throw new Misuse("--window must be a span of time such as 1h. [invalid-option]");
  const { config, frontdoorId } = await configuredFrontDoor(io, options);
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
  if (isJson) io.printJson(body);
  else if (series.length === 0) {
    io.say("the response holds no time series. This is the response:");
    io.printJson(body);
  } else io.print(`${title}\n\n${series.map((each) => plotOf(io, each)).join("\n")}`);
}

const widest = 100;
const bars = "▁▂▃▄▅▆▇█";

/** Returns a series as two lines: its name, times and values, and a bar for the highest value of each part of the time. */
function plotOf({ isColoured, stdout }: Pick<Io, "isColoured" | "stdout">, { name, unit, points }: Series): string {
  const known = points.filter((point): point is [number, number] => point[1] !== undefined);
  const times = known.map(([ms]) => ms);
  const [firstMs = 0, lastMs = 0] = [times[0], times.at(-1)];
  const highest = known.reduce((most, [, value]) => Math.max(most, value), 0);
  const width = Math.max(20, Math.min(widest, (stdout.columns ?? 80) - 1));
  const parts = Array.from({ length: width }, (): number | undefined => undefined);
  for (const [ms, value] of known) {
    const part = Math.min(width - 1, Math.floor(((ms - firstMs) / (lastMs - firstMs || 1)) * width));
    parts[part] = Math.max(parts[part] ?? value, value);
  }
  const bar = (value: number | undefined) =>
    value === undefined ? " " : (bars[Math.floor((Math.max(0, value) / (highest || 1)) * (bars.length - 1))] ?? " ");
  const measured = unit === undefined ? "" : ` (${safeText(unit, 40)})`;
  const span = `${timeOf(firstMs)} to ${timeOf(lastMs)}`;
  const line = parts.map(bar).join("").trimEnd();
  return `${styled("bold", safeText(name, 80))}${measured}, highest ${short(highest)}, ${span}\n${isColoured ? styled("cyan", line) : line}\n`;
}

/** Returns the local date and time in minutes. */
const timeOf = (ms: number): string => new Date(ms).toLocaleString("sv").slice(0, 16);

const compact = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 });

/** `1234567` as `1.2M`. */
const short = (value: number): string => compact.format(value);
