import { readFileSync } from "node:fs";
import { isInSample } from "./sample.mjs";

const countOf = { Killed: "killed", Timeout: "hung", Survived: "survived", NoCoverage: "untouched" };

/** The figures of each folder, and the mutants that no test notices. */
export function figuresOf(path, sample) {
  const { files } = JSON.parse(readFileSync(path, "utf8"));
  const folders = new Map();
  const survivors = [];
  for (const [file, { mutants, source }] of Object.entries(files)) {
    const folder = file.split("/").slice(0, 2).join("/");
    const sum = folders.get(folder) ?? { mutants: 0, killed: 0, hung: 0, survived: 0, untouched: 0 };
    folders.set(folder, sum);
    for (const mutant of mutants) {
      const count = countOf[mutant.status];
      // Stryker reports mutants that no test reaches without a run.
      if (!count || !isInSample(sample, file, mutant, 1)) continue;
      sum.mutants += 1;
      sum[count] += 1;
      if (count === "survived" || count === "untouched") survivors.push(survivorOf(file, source.split("\n"), mutant));
    }
  }
  return { folders, survivors };
}

function survivorOf(file, lines, { status, replacement, mutatorName, location: { start, end } }) {
  const line = lines[start.line - 1] ?? "";
  const isOneLine = start.line === end.line;
  const text = isOneLine ? line.slice(start.column - 1, end.column - 1) : `${line.slice(start.column - 1)} …`;
  return { file, line: start.line, mutatorName, text, replacement: replacement.replace(/\s+/g, " "), status };
}
