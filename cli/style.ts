import { styleText } from "node:util";
import { safeText } from "../provider/errors";

type Style = Parameters<typeof styleText>[0];

/** True if standard output is a terminal with colours, and NO_COLOR is not set. */
export const isColoured = (): boolean => process.stdout.isTTY && process.stdout.hasColors();

/** Returns the text in a style if standard output can show it. */
export const styled = (style: Style, text: string): string =>
  isColoured() ? styleText(style, text, { validateStream: false }) : text;

const styles = new Map<string, Style>([
  ["DEPLOYED", "green"],
  ["UP", "green"],
  ["NEW", "yellow"],
  ["DELETING", "yellow"],
  ["ERROR", "red"],
  ["DOWN", "red"],
  ["DELETED", "dim"],
]);

/** Returns a status of the service in its colour. */
export function status(text: string): string {
  const style = styles.get(text);
  return style === undefined ? safeText(text, 30) : styled(style, text);
}
