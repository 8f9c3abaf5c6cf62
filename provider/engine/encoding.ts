import { UNKNOWN } from "../fields/field";

/** How the engine spells a value that is not known before the run. */
export const unknownText = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

/** How the engine spells a secret, beside its `value`: with it an output is encrypted whatever the program says. */
export const secretMark = { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270" };

/** The same with each text that stands for an unknown value made UNKNOWN, wherever it is. */
export function unspelled(value: unknown): unknown {
  if (value === unknownText) return UNKNOWN;
  if (Array.isArray(value)) return value.map(unspelled);
  return isObject(value) ? mapped(value, unspelled) : value;
}

/** The same as the engine reads it: none undefined, unknown ones in its spelling. */
export function spelled(value: unknown): unknown {
  if (value === UNKNOWN) return unknownText;
  if (Array.isArray(value)) return value.map(spelled);
  if (!isObject(value)) return value;
  return mapped(Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined)), spelled);
}

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;

const mapped = (of: object, change: (value: unknown) => unknown) =>
  Object.fromEntries(Object.entries(of).map(([key, value]: [string, unknown]) => [key, change(value)]));
