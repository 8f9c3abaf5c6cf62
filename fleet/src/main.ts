#!/usr/bin/env node
import { Command, CommanderError, InvalidArgumentError, Option } from "commander";
import { operations } from "./operation";
import type { WorkerOptions } from "./worker";

// The help and a refusal of options need no other module.
type Commands = typeof import("./commands.js");
type Options = import("./commands.js").StackSelection & { every?: string; remove?: boolean };

function interval(text: string): string {
  const [, count = "", unit = ""] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
  if (unit !== "" && Number(count) * (unit === "s" ? 1 : 60) >= 60) return text;
  throw new InvalidArgumentError("Write a number and s, m, h or d, such as 24h: at least a minute.");
}

function positive(text: string): number {
  if (/^[1-9]\d{0,3}$/.test(text)) return Number(text);
  throw new InvalidArgumentError("Write a whole number from 1 to 9999.");
}

const collect = (value: string, all: string[] = []) => [...all, value];
const descriptions: Record<(typeof operations)[number], string> = {
  up: "runs pulumi up on the stacks",
  preview: "shows the changes of up",
  refresh: "updates the state from Frontdoor",
  destroy: "destroys the stacks, the last wave first",
  drift: "compares the state with Frontdoor, and changes nothing",
};

const program = new Command("frontdoor-fleet")
  .description("Runs the stacks of many front doors")
  .option("-f, --file <path>", "the fleet file", "fleet.yaml")
  .option("--json", "one JSON document on standard output")
  .exitOverride()
  .configureOutput({
    outputError: (text, write) => {
      write(`${text.trimEnd()} [wrong-usage]\n`);
    },
  });

const withSelection = (command: Command) =>
  command
    .option("-s, --stack <name>", "only this stack; you can repeat it", collect)
    .option("-l, --label <key=value>", "only stacks with this label; you can repeat it", collect);

/** Sets the action of a command. The action returns the exit code. */
const runs = (command: Command, act: (commands: Commands, options: Options) => Promise<number>) =>
  command.action(async () => {
    process.exitCode = await act(await import("./commands.js"), command.optsWithGlobals());
  });

runs(
  withSelection(program.command("plan").description("shows waves and order, without a connection")),
  ({ plan }, options) => plan(options),
);
for (const operation of operations) {
  const command = withSelection(program.command(operation).description(descriptions[operation]));
  if (operation === "destroy") command.requiredOption("--yes", "confirms the destroy");
  runs(command, ({ operate }, options) => operate(operation, options));
}
runs(program.command("status").description("shows the present or the last run"), ({ status }, options) =>
  status(options),
);
runs(program.command("cancel").description("ends the run in order: Pulumi saves what it has"), ({ cancel }, options) =>
  cancel(options),
);
const approve = program.command("approve <wave>").description("approves a wave that waits");
runs(approve, (commands, options) => commands.approve(approve.args[0] ?? "", options));
const schedule = program
  .command("schedule")
  .description("starts drift at intervals")
  .addOption(new Option("--every <interval>", "such as 24h").conflicts("remove").argParser(interval))
  .option("--remove", "remove the schedule");
runs(schedule, (commands, options) => commands.schedule(options));
const worker = program
  .command("worker")
  .description("runs operations on stacks until Ctrl-C")
  .option("--root <folder>", "folder with the programs", ".")
  .requiredOption("--fleet <name>", "the fleet whose stacks this worker takes")
  .option("--max-stacks <number>", "number of stacks at a time", positive, 4)
  .option(
    "--allow-secret <reference>",
    "env:NAME, file:PATH or file:FOLDER/ that stacks may name; you can repeat it",
    collect,
  )
  .option("--allow-backend <reference>", "a backend as in a fleet file; you can repeat it", collect)
  .option("--allow-url <url>", "a frontdoor:baseUrl or frontdoor:tokenUrl; you can repeat it", collect)
  .option("--allow-variable <name>", "a variable that Pulumi and the programs get; you can repeat it", collect);
worker.action(async () => (await import("./worker.js")).runWorker(worker.opts<WorkerOptions>()));

const printMs = 100;

void program.parseAsync().catch(async (error: unknown) => {
  process.exitCode = await fail(error);
  // The native client can't be kept from trying to connect, which would keep this process alive.
  setTimeout(() => process.exit(), printMs).unref();
});

/** Returns the messages of an error and its causes, because Temporal's own messages say little. */
function causes(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause === undefined ? error.message : `${error.message}: ${causes(error.cause)}`;
}

/** Prints the error and returns the exit code: 1 refused, 2 wrong usage, 3 Temporal can't be used. */
async function fail(error: unknown): Promise<number> {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  const { WorkflowExecutionAlreadyStartedError, WorkflowNotFoundError } = await import("@temporalio/client");
  const [{ refusalOf }, { FleetFileError }] = await Promise.all([import("./temporal.js"), import("./fleet.js")]);
  const refusal = refusalOf(error);
  const message =
    error instanceof WorkflowExecutionAlreadyStartedError
      ? "another run of this fleet is under way, so no run was started. Wait until frontdoor-fleet status shows its end. [fleet-busy]"
      : error instanceof WorkflowNotFoundError
        ? "no run of this fleet is known, or the last run has ended. Nothing was done. To start a run, use frontdoor-fleet up. [no-run]"
        : causes(refusal ?? error);
  const code = /\[([a-z-]+)\]$/.exec(message)?.[1];
  if (program.opts()["json"]) console.log(JSON.stringify({ error: { message, code } }));
  else console.error(`error: ${message}`);
  return error instanceof FleetFileError ? 2 : refusal ? 3 : 1;
}
