import type { Command } from "commander";
import { withConnection } from "../connection";
import { examples } from "../examples";
import type { DetailsOptions } from "./details";

/** Adds `tunnel` and `share`, which show all details of one resource. */
export function addDetails(program: Command): void {
  withConnection(program.command("tunnel <id>"))
    .description("show one tunnel by its id or name: details, connection, shares")
    .option("--json", "print one JSON document")
    .addHelpText("after", examples(`frontdoor tunnel tnl-1\nfrontdoor tunnel branch-office --json`))
    .action(async (id: string, options: DetailsOptions) => (await import("./details.js")).showTunnel(id, options));
  withConnection(program.command("share <id>"))
    .description("show one share by its id or name: details, address, its tunnel's connection")
    .option("--json", "print one JSON document")
    .addHelpText("after", examples(`frontdoor share shr-1\nfrontdoor share web --json`))
    .action(async (id: string, options: DetailsOptions) => (await import("./details.js")).showShare(id, options));
}
