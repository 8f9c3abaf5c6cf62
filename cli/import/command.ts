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

  # the tunnels and shares of one location, with the settings of a stack
  frontdoor import --stack-config Pulumi.prod.yaml --filter locationId=loc-1 --out import.json

  # the shares on two tunnels
  frontdoor import --kind shares --filter ipsecTunnelId=tnl-1 --filter ipsecTunnelId=tnl-2

Exit codes: 0 done, 1 the service refused or something was left out, 2 wrong usage, 3 the service could not be reached.`;

/** Adds `import`, which writes the files that bring existing tunnels and shares under Pulumi's management. It changes nothing. */
export function addImport(program: Command): void {
  withConnection(program.command("import"))
    .description(
      "write a file for `pulumi import --file` with all tunnels and shares of a front door, and a program for them",
    )
    .option("--out <file>", "write the import file here instead of to standard output")
    .addOption(new Option("--program <language>", "also write a program in this language").choices(languages))
    .option("--program-out <file>", "file for the program: index.ts, __main__.py or Main.yaml")
    .option(
      "--filter <property=value>",
      "import only resources with this value; repeat it for more properties, or for more values of one property",
      addFilter,
    )
    .addOption(new Option("--kind <kind>", "import only these").choices(wanted))
    .option("--force", "overwrite existing files")
    .option("--json", "print one JSON document with the resources found, left out and written")
    .addHelpText("after", examples)
    .action(async (options: ImportOptions) => (await import("./write.js")).writeImport(options));
}
