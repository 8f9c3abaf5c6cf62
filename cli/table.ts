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

/** Returns the same with names above the columns. */
export const tableOf = (names: readonly string[], rows: string[][]): string =>
  columns([names.map((name) => styled("bold", name)), ...rows]);
