import { appendFileSync } from "node:fs";

/**
 * Returns whether a tool is there that tests need. Tests that lack it are skipped, and the last line of the run names it (scripts/test.mjs),
 * which fails with FRONTDOOR_NO_SKIPS=1, as in the nightly job.
 */
export function needs(tool: string, isThere: boolean): boolean {
  const file = process.env["FRONTDOOR_LACKS"];
  if (!isThere && file !== undefined) appendFileSync(file, `${tool}\n`);
  return isThere;
}
