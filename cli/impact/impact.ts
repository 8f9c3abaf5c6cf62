import { safeText } from "../../provider/errors";
import { firstOf, siteMustReload } from "../../provider/messages";
import { checkWritable, writeText } from "../files";
import type { Io } from "../io";
import { DoesNotFit, Misuse } from "../outcome";
import { styled, tableOf, visible } from "../output";
import { type Change, type Effect, changesIn, refusedIn } from "./changes";
import { usedByOthers } from "./others";
import { type Preview, readPreview } from "./preview";
import {
  type Durations,
  type Span,
  type Window,
  durationIn,
  durationsOf,
  grouped,
  scheduleOf,
  secondsLeft,
  windowIn,
} from "./schedule";

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
export async function impact(io: Io, file: string | undefined, options: ImpactOptions): Promise<void> {
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
  if (svg !== undefined) checkWritable(io, svg, isForced);

  const preview = await readPreview(io, file, stack);
  const report = reportOf(preview, durationsOf(given));
  const problems = [
    ...refusedIn(preview),
    ...(await usedByOthers(io, preview, report.items)),
    ...problemsOf(report, limits, io.clock.wall()),
  ];
  if (svg !== undefined) writeText(io, svg, svgOf(report), { isForced });
  if (isJson) io.printJson({ ...documentOf(report), fits: problems.length === 0, problems });
  else io.print(markdown ? markdownOf(report, problems) : textOf(report));
  if (svg !== undefined) io.say(`${svg}: written`);
  if (problems.length > 0) throw new DoesNotFit(problems.join("\nfrontdoor: "));
}

function numberIn(text: string | undefined, option: string): number | undefined {
  if (text === undefined) return undefined;
  const number = Number(text);
  if (text.trim() === "" || !(number >= 0)) throw new Misuse(`${option} must be a number, 0 or more. [invalid-option]`);
  return number;
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
  changes: items.map(({ kind, name, id, urn, request, effect, isCertain, isOnlyTunnel, typical, worst }) => ({
    ...{ kind, name, id, urn, request, effect, isCertain, typical: spanOf(typical), worst: spanOf(worst) },
    ...(kind === "tunnel" && { isOnlyTunnel, mustSiteReload: isReplaced({ kind, request }) }),
  })),
});

/** True for a tunnel that gets a new key, address and host. */
const isReplaced = ({ kind, request }: Pick<Item, "kind" | "request">): boolean =>
  kind === "tunnel" && (request === "DELETE+POST" || request === "POST+DELETE");

const spanOf = ({ begins, ends }: { begins: number; ends: number }) =>
  ends === Infinity ? { begins } : { begins, ends };

/** A change with its place in the run. */
interface Item extends Change {
  typical: Span;
  worst: Span;
}

export interface Report {
  counts: Record<Effect, number>;
  /** In order of time. */
  items: Item[];
  /** The longest time, in seconds, from the first to the last interruption, and to its end from the begin of the run. */
  worst: { lasts: number; ends: number };
  typical: { lasts: number; ends: number };
  /** False if shares that leave the program can be missing. */
  isComplete: boolean;
}

/** Returns what a preview changes, and when. @throws Misuse for a preview that is not understood. */
export function reportOf(preview: Preview, durations: Durations): Report {
  const changes = changesIn(preview);
  const [typical, worst] = (["typical", "worst"] as const).map((measure) =>
    scheduleOf(preview, changes, durations, measure),
  );
  const none: Span = { begins: 0, ends: 0 };
  const items = changes
    .map((change) => ({ ...change, typical: typical?.get(change) ?? none, worst: worst?.get(change) ?? none }))
    .sort((a, b) => a.typical.begins - b.typical.begins);
  const counts = { created: 0, interrupted: 0, moved: 0, removed: 0 };
  for (const { effect } of items) counts[effect] += 1;
  return {
    counts,
    items,
    isComplete: preview.isComplete,
    typical: outage(items, "typical"),
    worst: outage(items, "worst"),
  };
}

/** The number of tunnels and shares that users cannot reach for a while, or never again. */
export const disturbed = ({ counts: { interrupted, moved, removed } }: Report): number => interrupted + moved + removed;

function outage(items: Item[], measure: "typical" | "worst"): { lasts: number; ends: number } {
  const spans = items.filter(({ effect }) => effect !== "created").map((item) => item[measure]);
  let [begins, last] = [Infinity, 0];
  for (const { begins: from, ends } of spans) {
    begins = Math.min(begins, from);
    last = Math.max(last, ends === Infinity ? from : ends);
  }
  return spans.length === 0 ? { lasts: 0, ends: 0 } : { lasts: last - begins, ends: last };
}

/** Reports with more changes have one row for each kind of change. */
const mostRows = 30;
const mostNames = 3;
const width = 40;

/** One change, or several that are equal but for their names and times. */
interface Row extends Pick<Item, "request" | "effect" | "isCertain" | "typical"> {
  names: string;
  /** Seconds of the longest interruption. */
  usually: number;
  atMost: number;
}

const headings = ["tunnel or share", "request", "effect", "usually", "at most", "begins"];

/** Returns the rows of a report. */
function rowsOf({ items }: Report): Row[] {
  const keyOf = ({ kind, request, effect, isCertain }: Item, index: number) =>
    items.length > mostRows ? [kind, request, effect, isCertain].join(" ") : String(index);
  return [...grouped(items.map((item, index) => [keyOf(item, index), item])).values()].flatMap(rowOf);
}

function rowOf(group: Item[]): Row[] {
  const [first] = group;
  if (!first) return [];
  const longest = (measure: "typical" | "worst") =>
    Math.max(...group.map((each) => each[measure].ends - each[measure].begins));
  const ends = Math.max(...group.map(({ typical }) => typical.ends));
  const times = {
    usually: longest("typical"),
    atMost: longest("worst"),
    typical: { begins: first.typical.begins, ends },
  };
  return [{ ...first, ...times, names: namesOf(group) }];
}

function namesOf(group: Item[]): string {
  const named = group.slice(0, mostNames).map(({ name, id, isOnlyTunnel }) => {
    const facts = [id, isOnlyTunnel ? "one tunnel" : undefined].filter((each) => each !== undefined);
    return `${safeText(name, 80)}${facts.length === 0 ? "" : ` (${facts.join(", ")})`}`;
  });
  const more = group.length > mostNames ? ` and ${group.length - mostNames} more` : "";
  return `${group[0]?.kind ?? ""}${group.length > 1 ? "s" : ""} ${named.join(", ")}${more}`;
}

const cellsOf = ({ names, request, effect, isCertain, typical, usually, atMost }: Row): string[] => [
  ...[names, request, isCertain ? effect : `may be ${effect}`],
  ...(effect === "interrupted" ? [time(usually), time(atMost)] : ["", ""]),
  time(typical.begins),
];

/** Returns seconds as `0:30` or `1:02:03`. */
export function time(seconds: number): string {
  const whole = Math.ceil(seconds);
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor((whole % 3600) / 60)];
  const rest = String(whole % 60).padStart(2, "0");
  return hours === 0 ? `${minutes}:${rest}` : `${hours}:${String(minutes).padStart(2, "0")}:${rest}`;
}

const incomplete =
  "Shares that leave the program can be missing: `pulumi preview --json --show-replacement-steps` lists them.";

/** Returns the counts and times in one sentence or two. */
export function summaryOf({ items, counts, typical, worst, isComplete }: Report): string {
  if (items.length === 0) return "The preview changes no tunnel and no share.";
  const numbers = (Object.entries(counts) as [Effect, number][])
    .filter(([, count]) => count > 0)
    .map(([effect, count]) => `${count} ${effect}`);
  const isQuiet = counts.interrupted + counts.moved + counts.removed === 0;
  const lasts = isQuiet
    ? "Nothing is interrupted."
    : `From the first interruption to the last: usually ${time(typical.lasts)}, at most ${time(worst.lasts)}.`;
  return `${numbers.join(", ")}. ${lasts}${isComplete ? "" : ` ${incomplete}`}`;
}

/** Returns a line about the tunnels that sites must connect to anew; empty if there is none. */
function reloadOf({ items }: Report): string {
  const replaced = items.filter(isReplaced).map(({ name }) => safeText(name, 80));
  if (replaced.length === 0) return "";
  return `tunnel${replaced.length === 1 ? "" : "s"} ${firstOf(replaced).join(", ")}: ${siteMustReload}.\n`;
}

/** Returns the table and the timeline for a terminal. */
export function textOf(report: Report): string {
  const rows = rowsOf(report);
  const table = rows.length === 0 ? "" : `${tableOf(headings, rows.map(cellsOf))}\n${timelineOf(rows)}\n`;
  return `${table}${summaryOf(report)}\n${reloadOf(report)}`;
}

const styles = { created: "green", interrupted: "yellow", moved: "yellow", removed: "red" } as const;

/** Returns one bar for each row, on one scale of time. */
function timelineOf(rows: Row[]): string {
  const end = lastOf(rows);
  const bars = rows.map(({ typical, effect, names }) => {
    const [from, to] = barOf(typical, end, width);
    const bar = (effect === "created" ? "░" : "█").repeat(to - from);
    return `${" ".repeat(from)}${styled(styles[effect], bar)}${" ".repeat(width - to)} ${safeText(names, 60)}\n`;
  });
  return `0${time(end).padStart(width - 1)}\n${bars.join("")}`;
}

/** The end of the last row that has one. */
const lastOf = (rows: Row[]): number =>
  Math.max(1, ...rows.map(({ typical: { begins, ends } }) => (ends === Infinity ? begins : ends)));

/** The begin and the end of a bar on a scale. */
function barOf({ begins, ends }: Item["typical"], end: number, scale: number): [number, number] {
  const from = Math.min(scale - 1, Math.floor((begins / end) * scale));
  return [from, Math.min(scale, Math.max(from + 1, Math.ceil((ends / end) * scale)))];
}

/** Returns the report as Markdown, for a pull request. */
export function markdownOf(report: Report, problems: string[]): string {
  const rows = rowsOf(report);
  const line = (cells: string[]) => `| ${cells.join(" | ")} |\n`;
  const table =
    rows.length === 0
      ? ""
      : `\n${line(headings)}${line(headings.map(() => "---"))}${rows.map((row) => line(cellsOf(row).map(escaped))).join("")}`;
  const refused = problems.map((problem) => `\n**${escaped(problem)}**\n`).join("");
  const reload = reloadOf(report) && `\n${escaped(reloadOf(report))}`;
  return `### Impact on tunnels and shares\n\n${escaped(summaryOf(report))}\n${reload}${refused}${table}`;
}

/** Escapes what Markdown and HTML would understand. */
const escaped = (text: string): string =>
  text.replace(/[\\`*_{}[\]<>|&#@~]/g, (character) => `&#${character.charCodeAt(0)};`);

const nameWidth = 320;
const barWidth = 480;
const rowHeight = 22;
const top = 60;

const colours = { created: "#8fbc8f", interrupted: "#d98e04", moved: "#d98e04", removed: "#b22222" };

/** Returns the timeline as an SVG image: a bar for each row. */
export function svgOf(report: Report): string {
  const rows = rowsOf(report);
  const end = lastOf(rows);
  const height = top + rows.length * rowHeight + 20;
  const text = (x: number, y: number, words: string, more = "") =>
    `<text x="${x}" y="${y}"${more}>${xml(words)}</text>`;
  const bars = rows.map((row, index) => {
    const y = top + index * rowHeight;
    const [from, to] = barOf(row.typical, end, barWidth);
    const bar = `<rect x="${nameWidth + from}" y="${y}" width="${to - from}" height="14" fill="${colours[row.effect]}"/>`;
    return `${text(10, y + 11, row.names.slice(0, 50))}${bar}${text(nameWidth + 4 + from, y + 11, `${row.request} ${row.effect}`)}`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${nameWidth + barWidth + 20}" height="${height}" font-family="sans-serif" font-size="12">
<rect width="100%" height="100%" fill="#fff"/>
${text(10, 20, summaryOf(report), ' font-weight="bold"')}
${text(nameWidth, 45, "0:00")}${text(nameWidth + barWidth, 45, time(end), ' text-anchor="end"')}
${bars.join("\n")}
</svg>
`;
}

const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
const xml = (words: string): string => visible(words).replace(/[&<>"]/g, (character) => entities[character] ?? "");
