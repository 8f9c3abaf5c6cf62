interface Difference {
  isCurrent: boolean;
  /** Numbers of the file's lines that the present sample configuration does not have. */
  changedLines: number[];
  /** The number of the sample configuration's lines that the file lacks. */
  missingLines: number;
  /** The difference in words. It shows no line, because a line can hold the key. */
  what: string;
}

/** Compares a site's file with the sample configuration. White space at the ends of lines does not count. */
export function differenceOf(file: string, sample: string): Difference {
  const mine = linesOf(file);
  const theirs = linesOf(sample);
  const left = [...theirs];
  const changedLines = mine.flatMap((line, index) => {
    const at = left.indexOf(line);
    if (at === -1) return [index + 1];
    left.splice(at, 1);
    return [];
  });
  const missingLines = left.length;
  const isCurrent = mine.join("\n") === theirs.join("\n");
  const parts = [
    ...(changedLines.length > 0 ? [`the sample configuration does not have its line ${changedLines.join(", ")}`] : []),
    ...(missingLines > 0 ? [`it lacks ${missingLines} of ${theirs.length} lines`] : []),
  ];
  const what = isCurrent ? "" : parts.length > 0 ? parts.join(", and ") : "its lines are in another order";
  return { isCurrent, changedLines, missingLines, what };
}

const linesOf = (text: string): string[] =>
  text
    .trimEnd()
    .split("\n")
    .map((line) => line.trimEnd());
