import type { Command } from "commander";
import { withConnection } from "../connection";
import { examples } from "../examples";
import type { DoctorOptions } from "./doctor";

const lines = `
# this shell's settings, and this machine
frontdoor doctor

# a stack's settings, misspelt ones too
frontdoor doctor --stack-config Pulumi.prod.yaml`;

/** Adds `doctor`, which says what is wrong with settings, service and machine, and what to do about it. */
export function addDoctor(program: Command): void {
  withConnection(program.command("doctor"))
    .description(
      "check settings, address, TLS, token, clock, front door, engine, Node and plugin: what is wrong, what to do",
    )
    .option("--json", "print one JSON document")
    .addHelpText("after", examples(lines, "something is wrong"))
    .action(async (options: DoctorOptions) => (await import("./doctor.js")).doctor(options));
}
