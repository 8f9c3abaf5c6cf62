import { checkConfig } from "../../provider/config";
import { checkWritable, writeText } from "../files";
import { DoesNotFit, Misuse } from "../outcome";
import { print, printJson, say } from "../output";
import { refusedIn } from "./changes";
import { durationIn, durationsOf, secondsLeft, type Window, windowIn } from "./schedule";
import { type Preview, readPreview } from "./preview";
import { disturbed, markdownOf, type Report, reportOf, svgOf, textOf, time } from "./report";

export interface ImpactOptions {
  stack?: string;
  shareSeconds?: string;
  tunnelMinutes?: string;
  maxInterrupted?: string;
  maxMinutes?: string;
  window?: string;
  markdown?: true;
  svg?: string;
  force?: true;
  json?: true;
}

interface Limits {
  interrupted: number | undefined;
  minutes: number | undefined;
  window: Window | undefined;
}

/** Prints the interruptions by the change of a preview. @throws Misuse for a preview that is not understood, DoesNotFit. */
export async function impact(file: string | undefined, options: ImpactOptions): Promise<void> {
  const { stack, shareSeconds, tunnelMinutes, svg, force: isForced = false, json: isJson, markdown } = options;
  if (isJson && markdown)
    throw new Misuse("--json and --markdown exclude each other. Give one of them. [options-conflict]");
  const limits: Limits = {
    interrupted: numberIn(options.maxInterrupted, "--max-interrupted"),
    minutes: numberIn(options.maxMinutes, "--max-minutes"),
    window: options.window === undefined ? undefined : windowIn(options.window),
  };
  const given = {
    ...(shareSeconds !== undefined && { share: durationIn(shareSeconds, "--share-seconds", 1) }),
    ...(tunnelMinutes !== undefined && { tunnel: durationIn(tunnelMinutes, "--tunnel-minutes", 60) }),
  };
  if (svg !== undefined) checkWritable(svg, isForced);

  const preview = await readPreview(file, stack);
  const report = reportOf(preview, durationsOf(given, serviceOf(preview)));
  const problems = [...refusedIn(preview), ...problemsOf(report, limits, Date.now())];
  if (svg !== undefined) writeText(svg, svgOf(report), isForced);
  if (isJson) printJson({ ...documentOf(report), fits: problems.length === 0, problems });
  else print(markdown ? markdownOf(report, problems) : textOf(report));
  if (svg !== undefined) say(`${svg}: written`);
  if (problems.length > 0) throw new DoesNotFit(problems.join("\nfrontdoor: "));
}

function numberIn(text: string | undefined, option: string): number | undefined {
  if (text === undefined) return undefined;
  const number = Number(text);
  if (text.trim() === "" || !(number >= 0)) throw new Misuse(`${option} must be a number, 0 or more. [invalid-option]`);
  return number;
}

/** The address of the service, by which this machine's durations are kept. */
function serviceOf({ config }: Preview): string {
  const given: Partial<Record<string, string>> = { baseUrl: config["frontdoor:baseUrl"], token: "unused" };
  const { FRONTDOOR_BASE_URL } = process.env;
  const checked = checkConfig((key) => given[key], { FRONTDOOR_BASE_URL });
  return "config" in checked ? checked.config.baseUrl : "";
}

/** Returns why the change does not fit the limits. */
export function problemsOf(report: Report, { interrupted, minutes, window }: Limits, nowMs: number): string[] {
  const problems: string[] = [];
  const { lasts, ends } = report.worst;
  const count = disturbed(report);
  if (interrupted !== undefined && count > interrupted)
    problems.push(
      `The change interrupts, moves or removes ${count} tunnels and shares, and the limit is ${interrupted}. ` +
        "Split it into smaller changes. [impact-too-large]",
    );
  if (minutes !== undefined && lasts > minutes * 60)
    problems.push(
      `The interruptions of the change may take ${time(lasts)}, and the limit is ${time(minutes * 60)}. ` +
        "Split it into smaller changes. [impact-too-long]",
    );
  const left = window && secondsLeft(window, nowMs);
  if (left === 0 && count > 0)
    problems.push(
      "The change interrupts tunnels or shares, and the window is closed now. Run it in the window. [impact-outside-window]",
    );
  else if (left !== undefined && count > 0 && ends > left)
    problems.push(
      `A run that begins now may interrupt for ${time(ends)}, and the window leaves ${time(left)}. ` +
        "Run it earlier in the window. [impact-outside-window]",
    );
  return problems;
}

/** The report as JSON: a removed resource has no end. */
const documentOf = ({ items, ...report }: Report) => ({
  ...report,
  changes: items.map(({ kind, name, id, urn, request, effect, isCertain, typical, worst }) => ({
    ...{ kind, name, id, urn, request, effect, isCertain, typical: spanOf(typical), worst: spanOf(worst) },
  })),
});

const spanOf = ({ begins, ends }: { begins: number; ends: number }) =>
  ends === Infinity ? { begins } : { begins, ends };
