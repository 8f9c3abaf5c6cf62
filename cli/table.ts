import { stripVTControlCharacters } from "node:util";
import { styled } from "./style";

/** Characters that most terminals draw in two columns (Unicode, East Asian Width), and those drawn in none. */
const wide =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/gu;
const markless = /[\p{M}\p{Cf}]/gu;

/** Returns the columns of a terminal that the text takes. Styles and combining marks take none. */
export function widthOf(text: string): number {
  const plain = stripVTControlCharacters(text);
  if (/^[\x20-\x7e]*$/.test(plain)) return plain.length;
  const drawn = plain.normalize("NFC").replace(markless, "");
  return Array.from(drawn).length + (drawn.match(wide)?.length ?? 0);
}

/** Returns columns side by side without lines, one row per line. No cell has a line break. */
export function columns(rows: string[][]): string {
  const widths: number[] = [];
  const measured = rows.map((row) =>
    row.map((text, n) => {
      const width = widthOf(text);
      widths[n] = Math.max(widths[n] ?? 0, width);
      return { text, width };
    }),
  );
  const line = (row: { text: string; width: number }[]) =>
    row
      .map(({ text, width }, n) => text + " ".repeat((widths[n] ?? 0) - width + 2))
      .join("")
      .trimEnd();
  return measured.map((row) => `${line(row)}\n`).join("");
}

/** Returns the same with names above the columns. A table that is too wide lacks its last columns, and names them in a last line. */
export function tableOf(names: readonly string[], rows: string[][], width = Infinity): string {
  const all = [names.map((name) => styled("bold", name)), ...rows];
  const first = (count: number) => columns(all.map((row) => row.slice(0, count)));
  const isTooWide = (table: string) => table.split("\n").some((line) => widthOf(line) > width);
  let count = names.length;
  let table = first(count);
  while (count > 1 && isTooWide(table)) table = first(--count);
  return count === names.length ? table : `${table}No room for ${names.slice(count).join(", ")}: see --json.\n`;
}
