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

/** Plots what can be read as time series; where nothing can, the service's answer is shown as it is (spec: not shown). */
export async function metrics(text: string, options: MetricsOptions): Promise<void> {
  const { window, kind, svg, force: isForced = false, json: isJson = false } = options;
  if (window !== undefined && !/^[A-Za-z0-9][A-Za-z0-9.:_-]{0,31}$/.test(window))
    throw new Misuse("--window must be a span of time such as 1h");
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
      throw new Misuse(`--window of a tunnel must be one of ${windows.join(", ")}`);
    return { body: await reads.getTunnelMetrics({ ...at, ...(window && { window }) }), title };
  });

  const series = seriesIn(body);
  if (svg !== undefined) {
    if (isJson && series.length === 0) printJson({ metrics: body });
    if (series.length === 0) throw new CheckFailed("the answer holds no time series to plot: look at it by --json");
    const { svgOf } = part("svg") as typeof import("./svg");
    writeText(svg, svgOf(title, series), isForced);
    if (isJson) printJson({ metrics: body, written: svg });
    say(`${svg}: written`);
  } else if (isJson) printJson(body);
  else if (series.length === 0) {
    say("the answer holds no time series: here it is as it came");
    printJson(body);
  } else print(`${title}\n\n${series.map(plotOf).join("\n")}`);
}
