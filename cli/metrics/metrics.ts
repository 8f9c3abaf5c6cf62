import { safeText } from "../../provider/errors";
import { type ConnectionOptions, connectionOf, reading } from "../connection";
import { checkWritable, writeText } from "../files";
import { find } from "../find";
import { CheckFailed, Misuse } from "../outcome";
import { print, printJson, say } from "../output";
import { part } from "../part";
import { plotOf } from "./plot";
import { seriesIn } from "../page/series.js";

export interface MetricsOptions extends ConnectionOptions {
  window?: string;
  kind?: "tunnel" | "share";
  svg?: string;
  force?: true;
  json?: true;
}

const windows = ["30m", "1h", "1d", "7d"];

/** Plots the time series in the answer. If there are none, prints the answer as it is: the specification does not show its shape. */
export async function metrics(text: string, options: MetricsOptions): Promise<void> {
  const { window, kind, svg, force: isForced = false, json: isJson = false } = options;
  if (window !== undefined && !/^[A-Za-z0-9][A-Za-z0-9.:_-]{0,31}$/.test(window))
    throw new Misuse("--window must be a span of time such as 1h. [invalid-option]");
  if (svg !== undefined) checkWritable(svg, isForced);
  const { config, frontdoorId } = await connectionOf(options, process.env);
  const { body, title } = await reading(config, async (reads) => {
    const found = await find(reads, kind ? [kind] : ["tunnel", "share"], text, frontdoorId);
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
    if (isJson && series.length === 0) printJson({ metrics: body });
    if (series.length === 0)
      throw new CheckFailed("the answer holds no time series to plot. Use --json instead of --svg. [no-series]");
    const { svgOf } = part("svg") as typeof import("./svg");
    writeText(svg, svgOf(title, series), isForced);
    if (isJson) printJson({ metrics: body, written: svg });
    say(`${svg}: written`);
  } else if (isJson) printJson(body);
  else if (series.length === 0) {
    say("the answer holds no time series. This is the answer:");
    printJson(body);
  } else print(`${title}\n\n${series.map(plotOf).join("\n")}`);
}
