/**
 * True when the whole text fits the pattern: `*` is any run of characters, `?` any one character, `#` a digit, `@` a lower-case letter.
 * A match goes back to the last `*` only, so it takes at most pattern × text steps: no pattern is slow, as a regular expression may be.
 */
export function matches(pattern: string, text: string): boolean {
  let at = 0;
  let from = 0;
  let star = -1;
  let covered = 0;
  while (from < text.length) {
    if (pattern[at] === "*") {
      star = at++;
      covered = from;
    } else if (at < pattern.length && fits(pattern.charAt(at), text.charAt(from))) {
      at++;
      from++;
    } else if (star >= 0) {
      at = star + 1;
      from = ++covered;
    } else return false;
  }
  while (pattern[at] === "*") at++;
  return at === pattern.length;
}

function fits(wanted: string, character: string): boolean {
  if (wanted === "?") return true;
  if (wanted === "#") return character >= "0" && character <= "9";
  if (wanted === "@") return character >= "a" && character <= "z";
  return wanted === character;
}

/** Project and stack of a resource, out of its URN. */
export function placeOf(urn: string): { project: string; stack: string } {
  const [head = "", project = ""] = urn.split("::");
  return { project, stack: head.slice(head.lastIndexOf(":") + 1) };
}

/** True when the resource's stack fits one of the patterns. */
export function isInStack(urn: string, patterns: readonly string[]): boolean {
  const { stack } = placeOf(urn);
  return patterns.some((pattern) => matches(pattern, stack));
}
