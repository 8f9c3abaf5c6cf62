import type { Command } from "commander";
import { withConnection } from "../connection";
import { examples } from "../examples";
import type { DoctorOptions } from "./doctor";

const lines = `
# this shell's settings, and this machine
frontdoor doctor

# a stack's settings, also misspelt ones
frontdoor doctor --stack-config Pulumi.prod.yaml`;

/** Adds `doctor`, which checks settings, service and machine, and gives a remedy for each problem. */
export function addDoctor(program: Command): void {
  withConnection(program.command("doctor"))
    .description(
      "check settings, address, TLS, token, clock, front door, engine, Node and plugin, with a remedy for each problem",
    )
    .option("--json", "print one JSON document")
    .addHelpText("after", examples(lines, "a check found a problem"))
    .action(async (options: DoctorOptions) => (await import("./doctor.js")).doctor(options));
}
