import type { Command } from "commander";
import type { ImpactOptions } from "./impact";

const examples = `
Examples:
  # the effect of a change
  pulumi preview --json --show-replacement-steps | frontdoor impact
  frontdoor impact --stack dev

  # a comment for a pull request, which fails if the change interrupts more than five
  frontdoor impact preview.json --markdown --max-interrupted 5 > report

  # before an up in a maintenance window
  frontdoor impact --stack prod --window "Sat 22:00-02:00 Europe/Berlin"

Exit codes: 0 done, 2 wrong usage or a preview that is not understood, 4 the change does not fit the limits.`;

/** Adds `impact`, which lists what the change of a preview interrupts. */
export function addImpact(program: Command): void {
  program
    .command("impact")
    .argument(
      "[preview]",
      "file with the output of `pulumi preview --json --show-replacement-steps`; default: standard input",
    )
    .description("list the tunnels and shares that the change of a preview interrupts, with order and duration")
    .option("--stack <name>", "run `pulumi preview --json --show-replacement-steps` of this stack")
    .option("--share-seconds <typical[,worst]>", "seconds that the service takes for a share")
    .option("--tunnel-minutes <typical[,worst]>", "minutes that the service takes for a tunnel")
    .option("--max-interrupted <number>", "refuse a change that interrupts, moves or removes more")
    .option("--max-minutes <minutes>", "refuse a change whose interruptions may take longer")
    .option(
      "--window <hours>",
      'refuse a run that begins now and may interrupt outside of "Sat 22:00-02:00 Europe/Berlin"',
    )
    .option("--markdown", "print Markdown")
    .option("--svg <file>", "write the timeline as an image")
    .option("--force", "overwrite a file that is there")
    .option("--json", "print one JSON document")
    .addHelpText("after", examples)
    .action(async (preview: string | undefined, options: ImpactOptions) =>
      (await import("./impact.js")).impact(preview, options),
    );
}
