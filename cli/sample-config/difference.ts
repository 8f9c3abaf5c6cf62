interface Difference {
  isCurrent: boolean;
  /** Numbers of the file's lines that are not in the sample configuration as it is now. */
  changedLines: number[];
  /** How many lines of that the file lacks. */
  missingLines: number;
  /** The same in words, without any line's text: that can be the key. */
  what: string;
}

/** How a site's file differs from the sample configuration; ends of lines don't count. */
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
    ...(changedLines.length > 0 ? [`no longer in it: line ${changedLines.join(", ")} of the file`] : []),
    ...(missingLines > 0 ? [`the file lacks ${missingLines} of its ${theirs.length} lines`] : []),
  ];
  const what = isCurrent ? "" : parts.length > 0 ? parts.join("; ") : "its lines are in another order";
  return { isCurrent, changedLines, missingLines, what };
}

const linesOf = (text: string): string[] =>
  text
    .trimEnd()
    .split("\n")
    .map((line) => line.trimEnd());
