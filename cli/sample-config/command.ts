import type { Command } from "commander";
import { withConnection } from "../connection";
import { examples } from "../examples";
import type { SampleOptions } from "./sample-config";

const lines = `
# a file for the remote site, which only you can read
frontdoor sample-config branch-office --out branch-office.conf

# print the configuration with its key
frontdoor sample-config branch-office --out -

# is the site's file still current?
frontdoor sample-config branch-office --diff branch-office.conf`;

/** Adds `sample-config`, which writes the configuration for the remote site's device. It holds the pre-shared key. */
export function addSampleConfig(program: Command): void {
  withConnection(program.command("sample-config <id>"))
    .description("write the sample configuration of a tunnel, which holds its pre-shared key")
    .option("--out <file>", "write it to this file, which only you can read; - for standard output")
    .option("--diff <file>", "compare this file with the configuration, without showing a line")
    .option("--force", "overwrite the file of --out; without --out, print the configuration with its key")
    .option("--json", "print one JSON document")
    .addHelpText("after", examples(lines, "the service refused, or the file is not current"))
    .action(async (id: string, options: SampleOptions) =>
      (await import("./sample-config.js")).sampleConfig(id, options),
    );
}
