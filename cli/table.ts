import { getBorderCharacters, table } from "table";
import { styled } from "./style";

/** Columns side by side without lines, one row a line. */
export const columns = (rows: string[][]): string =>
  rows.length === 0
    ? ""
    : table(rows, {
        border: getBorderCharacters("void"),
        columnDefault: { paddingLeft: 0, paddingRight: 2 },
        drawHorizontalLine: () => false,
      }).replace(/ +$/gm, "");

/** The same below their names. */
export const tableOf = (names: readonly string[], rows: string[][]): string =>
  columns([names.map((name) => styled("bold", name)), ...rows]);
