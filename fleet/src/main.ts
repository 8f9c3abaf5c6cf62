#!/usr/bin/env node
import { WorkflowExecutionAlreadyStartedError, WorkflowNotFoundError } from "@temporalio/client";
import { Command, CommanderError, Option } from "commander";
import { UnreachableError } from "./connection.ts";
import { FleetFileError } from "./fleet.ts";
import { operations } from "./operation.ts";
import type { WorkerOptions } from "./worker.ts";

// For words and help nothing else is loaded.
type Commands = typeof import("./commands.ts");
type Options = import("./commands.ts").Choice & { every?: string; remove?: boolean };

const collect = (value: string, all: string[] = []) => [...all, value];
const told: Record<(typeof operations)[number], string> = {
  up: "brings the stacks up",
  preview: "shows what up would do",
  refresh: "takes over into the state what the service shows",
  destroy: "takes the stacks down, the last wave first",
  drift: "looks for differences between state and service, and changes nothing",
};

const program = new Command("frontdoor-fleet")
  .description("Runs the stacks of many front doors")
  .option("-f, --file <path>", "the fleet file", "fleet.yaml")
  .option("--json", "one JSON document on standard output")
  .exitOverride();

const chosen = (command: Command) =>
  command
    .option("-s, --stack <name>", "only this stack; may be repeated", collect)
    .option("-l, --label <key=value>", "only stacks with this label; may be repeated", collect);

/** What a command does, with its options and those before it; its answer is the exit code. */
const does = (command: Command, act: (commands: Commands, options: Options) => Promise<number>) =>
  command.action(async () => {
    process.exitCode = await act(await import("./commands.ts"), command.optsWithGlobals());
  });

does(chosen(program.command("plan").description("shows waves and order; asks nobody")), ({ plan }, options) =>
  plan(options),
);
for (const operation of operations) {
  const command = chosen(program.command(operation).description(told[operation]));
  if (operation === "destroy") command.requiredOption("--yes", "says that it is meant");
  does(command, ({ operate }, options) => operate(operation, options));
}
does(program.command("status").description("shows the run that is under way, or the last one"), ({ status }, options) =>
  status(options),
);
does(
  program.command("cancel").description("ends the run in order: engines save what they have"),
  ({ cancel }, options) => cancel(options),
);
const approve = program.command("approve <wave>").description("lets a wave begin that waits for it");
does(approve, (commands, options) => commands.approve(approve.args[0] ?? "", options));
const schedule = program
  .command("schedule")
  .description("looks for drift time and again")
  .addOption(new Option("--every <interval>", "such as 24h").conflicts("remove"))
  .option("--remove", "ends it");
does(schedule, (commands, options) => commands.schedule(options));
const worker = program
  .command("worker")
  .description("works on stacks until it is stopped")
  .option("--root <folder>", "where programs are found", ".")
  .option("--queue <name>", "the task queue", "frontdoor-fleet")
  .option("--max-stacks <number>", "stacks at a time", Number, 4)
  .option(
    "--allow-secret <reference>",
    "env:NAME, file:PATH or file:FOLDER/ that stacks may name; may be repeated",
    collect,
  )
  .option("--allow-backend <reference>", "a back end as a fleet file writes it; may be repeated", collect)
  .option("--allow-url <url>", "a frontdoor:baseUrl or frontdoor:tokenUrl; may be repeated", collect)
  .option("--allow-variable <name>", "a variable that engines and programs get; may be repeated", collect);
worker.action(async () => (await import("./worker.ts")).runWorker(worker.opts<WorkerOptions>()));

try {
  await program.parseAsync();
} catch (error) {
  process.exitCode = fail(error);
}

/** An error's message and those of what it came from: Temporal's own say little. */
function causes(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause === undefined ? error.message : `${error.message}: ${causes(error.cause)}`;
}

/** Says what went wrong, and gives the exit code: 1 refused, 2 wrong usage, 3 not reached. */
function fail(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  const message =
    error instanceof WorkflowExecutionAlreadyStartedError
      ? "a run of this fleet is under way: frontdoor-fleet status shows it, frontdoor-fleet cancel ends it"
      : error instanceof WorkflowNotFoundError
        ? "no run of this fleet is known, or none is under way any more"
        : causes(error);
  if (program.opts()["json"]) console.log(JSON.stringify({ error: { message } }));
  else console.error(`error: ${message}`);
  return error instanceof FleetFileError ? 2 : error instanceof UnreachableError ? 3 : 1;
}
