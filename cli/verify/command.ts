import type { Command } from "commander";
import { withConnection } from "../connection";
import { examples } from "../examples";
import type { VerifyOptions } from "./verify";

const lines = `
# reads only
frontdoor verify

# also create, change and delete shares of its own on this tunnel
frontdoor verify --write --tunnel tnl-1 --report report.md`;

/** Adds `verify`, which finds out which assumptions of the provider hold at a service. */
export function addVerify(program: Command): void {
  withConnection(program.command("verify"))
    .description("check which assumptions about the service hold at yours; without --write it only reads")
    .option("--write", "also create, change and delete shares whose names begin with verify-; asks first")
    .option("--tunnel <id>", "with --write: the tunnel for these shares")
    .option("--location <id>", "with --write: create a tunnel at this free location for them, and delete it")
    .option("--env-zid <zId>", "environment for these shares, by default that of an existing share")
    .option("--yes", "write and clean up without asking")
    .option("--report <file>", "write a report without names, ids, addresses and secrets, to attach to an issue")
    .option("--emulator-settings <file>", "write settings that make the emulator behave like this service")
    .option("--force", "replace the files of --report and --emulator-settings")
    .option("--json", "print one JSON document")
    .addHelpText("after", examples(lines, "the provider can't work with a difference, or something is left behind"))
    .action(async (options: VerifyOptions) => (await import("./verify.js")).verify(options));
}
