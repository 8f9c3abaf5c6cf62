import { type Command, InvalidArgumentError } from "commander";
import { withConnection } from "../connection";
import { examples } from "../examples";
import type { Address, WatchOptions } from "./watch";

const lines = `
# in another window while "pulumi up" runs
frontdoor watch

# in a script: continue once all is DEPLOYED, fail after ten minutes or on ERROR
frontdoor watch --for 10m && ./next-step

# as a service: metrics for Prometheus, alerts to a webhook, until Ctrl-C
FRONTDOOR_WEBHOOK_SECRET=... frontdoor watch --serve 9464 --webhook https://alerts.example.com/frontdoor`;

const unitMs = { s: 1000, m: 60_000, h: 3_600_000 };

function spanMs(text: string): number {
  const [, number, unit] = /^(\d+)([smh])$/.exec(text) ?? [];
  if (unit === undefined) throw new InvalidArgumentError("It must be a span of time such as 90s, 10m or 1h.");
  return Number(number) * unitMs[unit as keyof typeof unitMs];
}

function addressIn(text: string): Address {
  const [, host = "127.0.0.1", port] = /^(?:(.+):)?(\d{1,5})$/.exec(text) ?? [];
  if (port === undefined || Number(port) > 65_535)
    throw new InvalidArgumentError("It must be a port, or <host>:<port> such as 0.0.0.0:9464.");
  return { host: host.replace(/^\[(.*)\]$/, "$1"), port: Number(port) };
}

/** Adds `watch`, which prints each change of a status. */
export function addWatch(program: Command): void {
  withConnection(program.command("watch"))
    .description("print a line for each change of a status, until no status is changing")
    .option("--for <span>", "wait at most this long, such as 10m", spanMs)
    .option("--serve <[host:]port>", "serve /metrics for Prometheus until Ctrl-C; default host 127.0.0.1", addressIn)
    .option("--webhook <url>", "send alerts until Ctrl-C, signed with FRONTDOOR_WEBHOOK_SECRET")
    .option("--down-after <span>", "send DOWN if the connection is DOWN for this long; default 5m", spanMs)
    .option("--json", "print one JSON document at the end")
    .addHelpText("after", examples(lines, "something is in ERROR, or a status is still changing"))
    .action(async (options: WatchOptions) => {
      const isService = options.serve !== undefined || options.webhook !== undefined;
      if (isService) await (await import("./service.js")).watchAsService(options);
      else await (await import("./watch.js")).watch(options);
    });
}
