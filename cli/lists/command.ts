import type { Command } from "commander";
import { withConnection } from "../connection";
import { examples } from "../examples";
import { addFilter } from "../filters";
import type { Wanted } from "../wanted";
import type { ListOptions } from "./list";

const tunnelLines = `
# the tunnels of one location, by name
frontdoor tunnels --filter locationId=loc-1 --sort name

# ids of all tunnels that are not DEPLOYED
frontdoor tunnels --json | jq -r '.tunnels[] | select(.status != "DEPLOYED") | .id'`;

const shareLines = `
# the shares on two tunnels, the highest port first
frontdoor shares --filter ipsecTunnelId=tnl-1 --filter ipsecTunnelId=tnl-2 --sort ingressPort,desc

# redraw the list until Ctrl-C
frontdoor shares --watch`;

const samples: Record<Wanted, string> = { tunnels: tunnelLines, shares: shareLines };

/** Adds the lists `tunnels` and `shares`. */
export function addLists(program: Command): void {
  for (const kind of ["tunnels", "shares"] as const)
    withConnection(program.command(kind))
      .description(`list the ${kind} of a front door`)
      .option(
        "--filter <property=value>",
        "list only entries with this value; repeat it for more properties, or for more values of one property",
        addFilter,
      )
      .option("--sort <property>", "order by this property; <property>,desc reverses the order")
      .option("--watch", "on a terminal: redraw the list every two seconds, until Ctrl-C")
      .option("--all", "also list DELETED entries")
      .option("--json", "print one JSON document")
      .addHelpText("after", examples(samples[kind]))
      .action(async (options: ListOptions) => (await import("./list.js")).list(kind, options));
}
