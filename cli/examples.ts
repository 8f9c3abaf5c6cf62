/** Returns the help below the options of a command: lines to copy, and the exit codes (contract: Command line). */
export const examples = (lines: string, one = "the service refused or a check failed"): string => `
Examples:
${lines
  .trim()
  .split("\n")
  .map((line) => (line === "" ? "" : `  ${line}`))
  .join("\n")}

Exit codes: 0 done, 1 ${one}, 2 wrong usage, 3 the service could not be reached.`;
