import { visible } from "../characters";
import type { Report } from "./report";
import { barOf, lastOf, rowsOf, summaryOf, time } from "./text";

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
