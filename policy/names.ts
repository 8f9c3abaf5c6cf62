/**
 * True if the whole text fits the pattern: `*` is any run of characters, `?` any character, `#` a digit, `@` a lower-case letter. It takes
 * at most pattern × text steps, so no pattern is slow.
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

/** Returns project and stack from a resource's URN. */
export function placeOf(urn: string): { project: string; stack: string } {
  const [head = "", project = ""] = urn.split("::");
  return { project, stack: head.slice(head.lastIndexOf(":") + 1) };
}

/** True if the name of the resource's stack, or a word in the name, fits one of the patterns. Letter case does not count. */
export function isInStack(urn: string, patterns: readonly string[]): boolean {
  const { stack } = placeOf(urn);
  const words = stack.replace(/([a-z0-9])(?=[A-Z])/g, "$1-").split(/[^A-Za-z0-9]+/);
  return [stack, ...words].some((name) => isNamed(name, patterns));
}

/** The settings that say which stacks are production (settings.ts). */
export interface Production {
  productionStacks: readonly string[];
  otherStacks: readonly string[];
}

/** True if the resource's stack is a production stack. */
export const isInProduction = (urn: string, { productionStacks, otherStacks }: Production): boolean =>
  isInStack(urn, productionStacks) && !isNamed(placeOf(urn).stack, otherStacks);

const isNamed = (name: string, patterns: readonly string[]) =>
  patterns.some((pattern) => matches(pattern.toLowerCase(), name.toLowerCase()));
