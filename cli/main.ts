#!/usr/bin/env node
import { Command } from "commander";
import { addImport } from "./import/command";
import { CheckFailed, exitCodeOf, messageOf } from "./outcome";

/** Put in its place where it is bundled. */
declare const VERSION: string;

function command(): Command {
  const program = new Command("frontdoor")
    .description("The IPsec tunnels and shares of a front door, from the command line.")
    .version(VERSION)
    .exitOverride()
    .showHelpAfterError('Try "--help".');
  addImport(program);
  return program;
}

/** With `--json` an error is the one document on standard output, too. */
function report(error: unknown, isJson: boolean): void {
  process.exitCode = exitCodeOf(error);
  const message = messageOf(error);
  if (message !== undefined) process.stderr.write(`frontdoor: ${message}\n`);
  // A check that failed has told what it found.
  if (isJson && process.exitCode !== 0 && !(error instanceof CheckFailed))
    process.stdout.write(`${JSON.stringify({ error: { message: (error as Error).message } })}\n`);
}

// Whoever reads it may have seen enough.
process.stdout.on("error", () => process.exit());

command()
  .parseAsync()
  .catch((error: unknown) => {
    report(error, process.argv.includes("--json"));
  });
