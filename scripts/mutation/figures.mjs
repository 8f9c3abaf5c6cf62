import { readFileSync } from "node:fs";
import { isInSample } from "./sample.mjs";

const detected = ["Killed", "Timeout"];
const survived = ["Survived", "NoCoverage"];

/** The figures of each folder, and the mutants that no test notices. */
export function figures(path, sample = 1) {
  const { files } = JSON.parse(readFileSync(path, "utf8"));
  const folders = new Map();
  const survivors = [];
  for (const [file, { mutants, source }] of Object.entries(files)) {
    const folder = file.split("/").slice(0, -1).join("/");
    const sum = folders.get(folder) ?? { mutants: 0, killed: 0, hung: 0, survived: 0 };
    folders.set(folder, sum);
    const lines = source.split("\n");
    for (const mutant of mutants) {
      const { status, replacement, location, mutatorName } = mutant;
      if (![...detected, ...survived].includes(status)) continue;
      // The mutants that no test covers are reported without a run.
      if (!isInSample(sample, file, mutant, 1)) continue;
      sum.mutants += 1;
      if (status === "Timeout") sum.hung += 1;
      else if (detected.includes(status)) sum.killed += 1;
      else {
        sum.survived += 1;
        const { start, end } = location;
        const line = lines[start.line - 1] ?? "";
        const text = start.line === end.line ? line.slice(start.column - 1, end.column - 1) : `${line.slice(start.column - 1)} …`;
        survivors.push({ file, line: start.line, mutatorName, text, replacement: replacement.replace(/\s+/g, " "), status });
      }
    }
  }
  return { folders, survivors };
}
