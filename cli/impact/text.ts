import { safeText } from "../../provider/errors";
import { styled } from "../style";
import { tableOf } from "../table";
import type { Effect } from "./changes";
import type { Item, Report } from "./report";
import { grouped } from "./grouped";

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
export function rowsOf({ items }: Report): Row[] {
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
  const named = group
    .slice(0, mostNames)
    .map(({ name, id }) => `${safeText(name, 80)}${id === undefined ? "" : ` (${id})`}`);
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

/** Returns the table and the timeline for a terminal. */
export function textOf(report: Report): string {
  const rows = rowsOf(report);
  const table = rows.length === 0 ? "" : `${tableOf(headings, rows.map(cellsOf))}\n${timelineOf(rows)}\n`;
  return `${table}${summaryOf(report)}\n`;
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
export const lastOf = (rows: Row[]): number =>
  Math.max(1, ...rows.map(({ typical: { begins, ends } }) => (ends === Infinity ? begins : ends)));

/** The begin and the end of a bar on a scale. */
export function barOf({ begins, ends }: Item["typical"], end: number, scale: number): [number, number] {
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
  return `### Impact on tunnels and shares\n\n${escaped(summaryOf(report))}\n${refused}${table}`;
}

/** Escapes what Markdown and HTML would understand. */
const escaped = (text: string): string =>
  text.replace(/[\\`*_{}[\]<>|&#@~]/g, (character) => `&#${character.charCodeAt(0)};`);
