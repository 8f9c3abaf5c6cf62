/** A name with more edits is another name. */
const mostEdits = 3;

/** Returns the name that was most likely meant, ignoring case; undefined if none is near. */
export function nearest(name: string, names: readonly string[]): string | undefined {
  const [first] = names
    .map((each) => ({ each, edits: editsBetween(name.toLowerCase(), each.toLowerCase()) }))
    .filter(({ edits }) => edits <= mostEdits)
    .sort((a, b) => a.edits - b.edits);
  return first?.each;
}

/** Returns how many letters must be added, removed or changed to turn one text into the other (Levenshtein). */
function editsBetween(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const letter of one) {
    const above = row;
    row = [(above[0] ?? 0) + 1];
    for (const [index, right] of Array.from(other).entries()) {
      const changed = (above[index] ?? 0) + (letter === right ? 0 : 1);
      row.push(Math.min(changed, (above[index + 1] ?? 0) + 1, (row[index] ?? 0) + 1));
    }
  }
  return row.at(-1) ?? 0;
}
