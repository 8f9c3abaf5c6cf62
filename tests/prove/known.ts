/** Violations of the list of findings that are not mended yet. The walk leaves them out, but for `npm run prove -- --known`. */
interface Known {
  /** The row of the list. */
  row: number;
  where: RegExp;
  problem: RegExp;
}

export const known: readonly Known[] = [
  // A refresh from a replica that lags writes the old value into the state, and the next run sends the PATCH once more.
  { row: 1, where: / lag /, problem: /^not quiet: (update |PATCH )/ },
  // The preview refuses it (`adopt-leaving`). A run without a preview deletes the share before it meets what adopts it.
  {
    row: 12,
    where: /adopts (s2|k1), which leaves, replace t1 delete-first/,
    problem: /adopted id is deleted|line is untrue/,
  },
  { row: 12, where: /adopts k1, which leaves.* > preview/, problem: /line is untrue/ },
];

export const unknownIn = (path: readonly string[], problems: readonly string[], isAll = false): string[] =>
  problems.filter(
    (problem) => isAll || !known.some((each) => each.where.test(path.join(" > ")) && each.problem.test(problem)),
  );
