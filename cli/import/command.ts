import { type Command, Option } from "commander";
import { withConnection } from "../connection";
import { addFilter } from "../filters";
import { wanted } from "../wanted";
import { languages } from "./languages";
import type { ImportOptions } from "./write";

const examples = `
Examples:
  # everything on the front door, with a program that declares it
  frontdoor import --out import.json --program ts --program-out index.ts
  pulumi import --file import.json --generate-code=false --yes
  pulumi preview --expect-no-changes

  # the tunnels and shares of one location, configured as a stack is
  frontdoor import --stack-config Pulumi.prod.yaml --filter locationId=loc-1 --out import.json

  # the shares on two tunnels
  frontdoor import --kind shares --filter ipsecTunnelId=tnl-1 --filter ipsecTunnelId=tnl-2

Exit codes: 0 done, 1 the service refused or something had to be left out, 2 wrong usage, 3 the service could not be reached.`;

/** Adds `import`, which writes what brings the tunnels and shares that exist under Pulumi's management. It changes nothing. */
export function addImport(program: Command): void {
  withConnection(program.command("import"))
    .description(
      "write a file for `pulumi import --file` of all tunnels and shares of a front door, and a program of them",
    )
    .option("--out <file>", "write the import file here instead of to standard output")
    .addOption(new Option("--program <language>", "write a program, too").choices(languages))
    .option("--program-out <file>", "where to write the program: index.ts, __main__.py, Main.yaml")
    .option(
      "--filter <property=value>",
      "only what has this value; may be repeated, equal properties for any of the values",
      addFilter,
    )
    .addOption(new Option("--kind <kind>", "only these").choices(wanted))
    .option("--force", "overwrite files that are there")
    .option("--json", "print one JSON document that says what was found, left out and written")
    .addHelpText("after", examples)
    .action(async (options: ImportOptions) => (await import("./write.js")).writeImport(options));
}
