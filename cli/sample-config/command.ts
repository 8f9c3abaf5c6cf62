import type { Command } from "commander";
import { withConnection } from "../connection";
import { examples } from "../examples";
import type { SampleOptions } from "./sample-config";

const lines = `
# a file for the remote site, readable by its owner alone
frontdoor sample-config branch-office --out branch-office.conf

# is the one that the site has still current?
frontdoor sample-config branch-office --diff branch-office.conf`;

/** Adds `sample-config`, which hands out what the remote site's device is set up by: it holds the pre-shared key. */
export function addSampleConfig(program: Command): void {
  withConnection(program.command("sample-config <id>"))
    .description("write the sample configuration of a tunnel, which holds its pre-shared key")
    .option("--out <file>", "write it here, readable by its owner alone")
    .option("--diff <file>", "say whether this file is still current; no line of it is shown")
    .option("--force", "overwrite a file that is there; show it on a terminal")
    .option("--json", "print one JSON document")
    .addHelpText("after", examples(lines, "the service refused, or the file is not current"))
    .action(async (id: string, options: SampleOptions) =>
      (await import("./sample-config.js")).sampleConfig(id, options),
    );
}
