import { safeText } from "../provider/errors";

// Control, format and direction characters, and separators of lines: a reader cannot see them, and a terminal can obey them.

let redact = (text: string): string => text;

/** Sets the function that redacts all later output. */
export const redactPrintedBy = (redactor: (text: string) => string): void => {
  redact = redactor;
};

/** Removes every hidden character from a text except newlines and tabs, and redacts what a hidden character had split. */
export const visible = (text: string): string => redact(text.replace(/(?![\n\t])[\p{C}\p{Zl}\p{Zp}]/gu, ""));

/** Does the same for a text that this command has styled, and keeps the codes of those styles. */
export const visibleAndStyled = (text: string): string =>
  // eslint-disable-next-line no-control-regex
  redact(text.replace(/(?![\n\t]|\x1b\[(?:[012]|22|3[1236]|39)m)[\p{C}\p{Zl}\p{Zp}]/gu, ""));

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
