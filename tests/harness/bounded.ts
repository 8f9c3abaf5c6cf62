import { runInNewContext } from "node:vm";

/** Far more than any test needs for work that grows with its input. */
const hangMs = 60_000;

/** Runs the work, and stops it with an error if it hangs, also inside a regular expression. */
export function bounded(work: () => void, mostMs = hangMs): void {
  runInNewContext("work()", { work }, { timeout: mostMs });
}
