import { isKeyProperty } from "./keys";
import { readingOf } from "./samples";
import type { Found } from "./secretness";

/** True if a text sets a pre-shared key, also in an encoding, or if the name of its property announces a key. */
export const announces = (found: Found): boolean => readingOf(found.text).setsKey || isKeyProperty(found);

/** Returns the places of texts that hold keys, without the keys: the name of a property can also be such a text. */
export const withoutKeys = (held: readonly Found[]): string[] =>
  held.map(({ path }) => held.reduce((shown, { text }) => (text === "" ? shown : shown.replaceAll(text, "*")), path));
