import type { Command } from "commander";
import { withConnection } from "../connection";
import { examples } from "../examples";
import type { IdsOptions } from "./ids";

/** Adds `ids`, which finds the ids that a program needs. */
export function addIds(program: Command): void {
  withConnection(program.command("ids"))
    .description("print the organization, its front doors and their environments, which needs credentials only")
    .option("--json", "print one JSON document")
    .addHelpText("after", examples("frontdoor ids\nfrontdoor ids --json"))
    .action(async (options: IdsOptions) => (await import("./ids.js")).ids(options));
}
