import { isKeyProperty } from "./keys";
import { readingOf } from "./samples";
import type { Found } from "./secretness";

/** True for a text that sets a pre-shared key, in any of its encodings, or is one by the name of its property. */
export const announces = (found: Found): boolean => readingOf(found.text).setsKey || isKeyProperty(found);

/** The places of texts that hold keys, as they may be shown: the name of a property can be such a text itself. */
export const withoutKeys = (held: readonly Found[]): string[] =>
  held.map(({ path }) => held.reduce((shown, { text }) => (text === "" ? shown : shown.replaceAll(text, "*")), path));
