/** Violations of the list of findings that are not mended yet. The walk leaves them out, but for `npm run prove -- --known`. */
interface Known {
  /** The row of the list. */
  row: number;
  where: RegExp;
  problem: RegExp;
}

export const known: readonly Known[] = [
  // The id of a tunnel that a new name adopts is known, and its shares are shown as replaced.
  { row: 3, where: /rename t\d with adopt.* > preview/, problem: /other steps|line is untrue/ },
  { row: 12, where: /adopts (s2|k1), which leaves/, problem: /adopted id is deleted|line is untrue|other steps/ },
  { row: 16, where: /tried again by create/, problem: /an id is lost|stuck|orphan|duplicate/ },
  { row: 17, where: /tried again by update/, problem: /an id is lost|stuck|orphan|duplicate/ },
];

export const unknownIn = (path: readonly string[], problems: readonly string[], isAll = false): string[] =>
  problems.filter(
    (problem) => isAll || !known.some((each) => each.where.test(path.join(" > ")) && each.problem.test(problem)),
  );
