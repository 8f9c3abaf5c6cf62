import { type Command, InvalidArgumentError } from "commander";
import { withConnection } from "../connection";
import { examples } from "../examples";
import type { WatchOptions } from "./watch";

const lines = `
# in another window while "pulumi up" runs
frontdoor watch

# in a script: continue once all is DEPLOYED, fail after ten minutes or on ERROR
frontdoor watch --for 10m && ./next-step`;

const unitMs = { s: 1000, m: 60_000, h: 3_600_000 };

function spanMs(text: string): number {
  const [, number, unit] = /^(\d+)([smh])$/.exec(text) ?? [];
  if (unit === undefined) throw new InvalidArgumentError("It must be a span of time such as 90s, 10m or 1h.");
  return Number(number) * unitMs[unit as keyof typeof unitMs];
}

/** Adds `watch`, which prints each change of a status. */
export function addWatch(program: Command): void {
  withConnection(program.command("watch"))
    .description("print a line for each change of a status, until no status is changing")
    .option("--for <span>", "wait at most this long, such as 10m", spanMs)
    .option("--json", "print one JSON document at the end")
    .addHelpText("after", examples(lines, "something is in ERROR, or a status is still changing"))
    .action(async (options: WatchOptions) => (await import("./watch.js")).watch(options));
}
