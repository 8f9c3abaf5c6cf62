import { type Command, InvalidArgumentError } from "commander";
import { withConnection } from "../connection";
import type { DashboardOptions } from "./show";

const examples = `
Examples:
  # the front door of the environment
  frontdoor dashboard

  # the front door of a stack, on a port for an ssh tunnel
  frontdoor dashboard --stack-config Pulumi.prod.yaml --port 8090

The page changes nothing. Ctrl-C ends it.
Exit codes: 0 done, 1 the service refused, 2 wrong usage, 3 the service could not be reached.`;

/** Adds `dashboard`, which shows tunnels and shares live in a browser. It changes nothing. */
export function addDashboard(program: Command): void {
  withConnection(program.command("dashboard"))
    .description("show the tunnels and shares of a front door live, on a page of this machine")
    .option("--port <port>", "port on 127.0.0.1, 0 for any free one", portIn, 0)
    .option("--json", "print the address as one JSON document")
    .addHelpText("after", examples)
    .action(async (options: DashboardOptions) => (await import("./show.js")).showDashboard(options));
}

function portIn(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : NaN;
  if (port <= 65_535) return port;
  throw new InvalidArgumentError("It must be a number from 0 to 65535.");
}
