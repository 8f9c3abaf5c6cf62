import { stripVTControlCharacters } from "node:util";
import Table from "cli-table3";
import { styled } from "./style";

const lines = ["top", "bottom", "left", "right", "mid"].flatMap((side) => [
  ...[side, `${side}-mid`, `${side}-left`, `${side}-right`],
]);

/** Returns columns side by side without lines, one row per line. */
export function columns(rows: string[][]): string {
  const table = new Table({
    chars: Object.fromEntries([...lines, "middle", "mid-mid"].map((char) => [char, ""])),
    style: { "padding-left": 0, "padding-right": 2 },
  });
  for (const row of rows) table.push(row);
  return rows.length === 0 ? "" : `${table.toString().replace(/ +$/gm, "")}\n`;
}

const widthOf = (text: string) =>
  Math.max(
    ...stripVTControlCharacters(text)
      .split("\n")
      .map((line) => line.length),
  );

/** Returns the same with names above the columns. A table that is too wide lacks its last columns, and names them in a last line. */
export function tableOf(names: readonly string[], rows: string[][], width = Infinity): string {
  const all = [names.map((name) => styled("bold", name)), ...rows];
  const first = (count: number) => columns(all.map((row) => row.slice(0, count)));
  let count = names.length;
  while (count > 1 && widthOf(first(count)) > width) count -= 1;
  const table = first(count);
  return count === names.length ? table : `${table}No room for ${names.slice(count).join(", ")}: see --json.\n`;
}
