import { type Command, Option } from "commander";
import { withConnection } from "../connection";
import { examples } from "../examples";
import type { MetricsOptions } from "./metrics";

const lines = `
frontdoor metrics branch-office --window 1d
frontdoor metrics shr-1 --window 15m --svg traffic.svg
frontdoor metrics web --kind share --json`;

/** Adds `metrics`, which plots the metrics of a tunnel or a share. */
export function addMetrics(program: Command): void {
  withConnection(program.command("metrics <id>"))
    .description("plot the metrics of a tunnel or a share, by its id or name")
    .option(
      "--window <span>",
      "time span: 30m, 1h, 1d or 7d for a tunnel; for a share any that the service takes, such as 15m",
    )
    .addOption(
      new Option("--kind <kind>", "the kind, if a tunnel and a share have the name").choices(["tunnel", "share"]),
    )
    .option("--svg <file>", "write the plot to this file instead")
    .option("--force", "overwrite an existing file")
    .option("--json", "print the service's answer as it is")
    .addHelpText("after", examples(lines))
    .action(async (id: string, options: MetricsOptions) => (await import("./metrics.js")).metrics(id, options));
}
