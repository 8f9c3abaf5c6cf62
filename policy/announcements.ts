import { isKeyProperty, keysIn } from "./keys";
import type { Reading } from "./samples";
import type { Found } from "./secretness";

/** True for a text that sets a pre-shared key, in any of its encodings, or is one by the name of its property. */
export const announces = ({ path, text }: Found, { texts }: Reading): boolean =>
  texts.some((each) => keysIn(each).length > 0) || isKeyProperty(path, text);

/** The places of texts that hold keys, as they may be shown: the name of a property can be such a text itself. */
export const withoutKeys = (held: readonly Found[]): string[] =>
  held.map(({ path }) => held.reduce((shown, { text }) => (text === "" ? shown : shown.replaceAll(text, "*")), path));
