import type { Command } from "commander";
import { withConnection } from "../connection";
import { examples } from "../examples";
import { addFilter } from "../filters";
import type { Wanted } from "../wanted";
import type { ListOptions } from "./list";

const tunnelLines = `
# those of one location, by name
frontdoor tunnels --filter locationId=loc-1 --sort name

# ids of all that are not well
frontdoor tunnels --json | jq -r '.tunnels[] | select(.status != "DEPLOYED") | .id'`;

const shareLines = `
# those on two tunnels, the highest port first
frontdoor shares --filter ipsecTunnelId=tnl-1 --filter ipsecTunnelId=tnl-2 --sort ingressPort,desc

# as they are now, until Ctrl-C
frontdoor shares --watch`;

const samples: Record<Wanted, string> = { tunnels: tunnelLines, shares: shareLines };

/** Adds `tunnels` and `shares`, the lists. */
export function addLists(program: Command): void {
  for (const kind of ["tunnels", "shares"] as const)
    withConnection(program.command(kind))
      .description(`list the ${kind} of a front door`)
      .option(
        "--filter <property=value>",
        "only what has this value; may be repeated, equal properties for any of the values",
        addFilter,
      )
      .option("--sort <property>", "order by this property; <property>,desc the other way round")
      .option("--watch", "on a terminal: show it as it changes, until Ctrl-C")
      .option("--json", "print one JSON document")
      .addHelpText("after", examples(samples[kind]))
      .action(async (options: ListOptions) => (await import("./list.js")).list(kind, options));
}
