import type { Command } from "commander";
import { examples } from "../examples";
import type { ExplainOptions } from "./explain";

const lines = `
# every code, with its meaning
frontdoor explain

# one code, with cause and remedies
frontdoor explain port-in-use`;

/** Adds `explain`, which prints what a code in a message means. */
export function addExplain(program: Command): void {
  program
    .command("explain")
    .argument("[code]", "the code, such as port-in-use")
    .description("explain the code at the end of a message: meaning, cause, remedies; without a code, list all codes")
    .option("--json", "print one JSON document")
    .addHelpText("after", examples(lines))
    .action(async (code: string | undefined, options: ExplainOptions) => {
      (await import("./explain.js")).explain(code, options);
    });
}
