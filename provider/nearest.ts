/** A name with more edits is another name, and so is one in which most letters differ. */
const mostEditsIn = (name: string) => Math.min(3, Math.ceil(name.length / 2));

/** Returns the name that was most likely meant, ignoring case; undefined if none is near. */
export function nearest(name: string, names: readonly string[]): string | undefined {
  const mostEdits = mostEditsIn(name);
  const [first] = names
    .map((each) => ({ each, edits: editsBetween(name.toLowerCase(), each.toLowerCase()) }))
    .filter(({ edits }) => edits <= mostEdits)
    .sort((a, b) => a.edits - b.edits);
  return first?.each;
}

/** Returns the names that were likely meant, at most `most`: the nearest one, then those that have most of its words. */
export function near(name: string, names: readonly string[], most = 3): string[] {
  const words = partsOf(name);
  const byWords = names
    .map((each) => ({ each, shared: partsOf(each).filter((word) => words.includes(word)).length }))
    .filter(({ shared }) => shared > 0)
    .sort((a, b) => b.shared - a.shared)
    .map(({ each }) => each);
  const [close] = [nearest(name, names)].filter((each) => each !== undefined);
  return [...new Set(close === undefined ? byWords : [close, ...byWords])].slice(0, most);
}

const partsOf = (name: string) =>
  name
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word.length > 1);

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
