import { stripVTControlCharacters, styleText } from "node:util";
import { safeText } from "../../provider/errors";

/** Returns a document as JSON text without hidden characters. */
export const jsonText = (document: unknown): string => `${escaped(JSON.stringify(document, undefined, 2))}\n`;

type Style = Parameters<typeof styleText>[0];

/** Returns the text in a style, which printing removes again where standard output can't show it. */
export const styled = (style: Style, text: string): string => styleText(style, text, { validateStream: false });

const styles = new Map<string, Style>([
  ["DEPLOYED", "green"],
  ["UP", "green"],
  ["NEW", "yellow"],
  ["DELETING", "yellow"],
  ["ERROR", "red"],
  ["FAILED", "red"],
  ["SUSPENDED", "red"],
  ["DOWN", "red"],
  ["DELETED", "dim"],
]);

/** Returns a status of the service in its color. */
export function status(text: string): string {
  const style = styles.get(text);
  return style === undefined ? safeText(text, 30) : styled(style, text);
}

// Control, format and direction characters, and separators of lines: a reader cannot see them, and a terminal can obey them.

/** Removes the styles of this command and every hidden character from a text, except newlines and tabs. */
export const visible = (text: string): string =>
  // eslint-disable-next-line no-control-regex
  text.replace(/\x1b\[(?:[012]|22|3[1236]|39)m|(?![\n\t])[\p{C}\p{Zl}\p{Zp}]/gu, "");

/** Does the same, and keeps the styles. */
export const visibleAndStyled = (text: string): string =>
  // eslint-disable-next-line no-control-regex
  text.replace(/(?![\n\t]|\x1b\[(?:[012]|22|3[1236]|39)m)[\p{C}\p{Zl}\p{Zp}]/gu, "");

/** Escapes every hidden character of a JSON text as `\uXXXX`, so that the value stays the same. */
export const escaped = (json: string): string =>
  json.replace(/(?![ \n])[\p{Z}\p{C}]/gu, (hidden) =>
    hidden
      .split("")
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
      .join(""),
  );

/** Puts every text in a value on one line and removes its hidden characters, also in the names of properties. */
export function cleaned(value: unknown): unknown {
  if (typeof value === "string") return safeText(value, Infinity);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(cleaned);
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [safeText(name, Infinity), cleaned(each)]));
}

/** Characters that most terminals draw in two columns (Unicode, East Asian Width), and those drawn in none. */
const wide =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/gu;
const markless = /[\p{M}\p{Cf}]/gu;

/** Returns the columns of a terminal that the text takes. Styles and combining marks take none. */
function widthOf(text: string): number {
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

/** Returns the help below the options of a command: lines to copy, and the exit codes (contract: Command line). */
export const examples = (lines: string, one = "Frontdoor refused or a check failed", five?: string): string => `
Examples:
${lines
  .trim()
  .split("\n")
  .map((line) => (line === "" ? "" : `  ${line}`))
  .join("\n")}

Exit codes: 0 done, 1 ${one}, 2 wrong usage, 3 Frontdoor could not be reached${five === undefined ? "" : `, 5 ${five}`}.`;
