import { Command } from "commander";
import { addCompletion } from "./completion/command";
import { addDetails } from "./details/command";
import { addDoctor } from "./doctor/command";
import { addEmulator } from "./emulator/command";
import { addDashboard } from "./dashboard/command";
import { addExplain } from "./explain/command";
import { addImport } from "./import/command";
import { addLists } from "./lists/command";
import { addMetrics } from "./metrics/command";
import { exitCodeOf, isPrinted, messageOf } from "./outcome";
import { printJson, say } from "./output";
import { addSampleConfig } from "./sample-config/command";
import { addWatch } from "./watch/command";

/** Put in its place where it is bundled. */
declare const VERSION: string;

function command(): Command {
  const program = new Command("frontdoor")
    .description("The IPsec tunnels and shares of a front door, from the command line.")
    .version(VERSION)
    .exitOverride()
    .showHelpAfterError('Try "--help".');
  addDoctor(program);
  addExplain(program);
  addLists(program);
  addDetails(program);
  addSampleConfig(program);
  addMetrics(program);
  addWatch(program);
  addImport(program);
  addEmulator(program);
  addCompletion(program);
  addDashboard(program);
  return program;
}

/** With `--json` an error is the one document on standard output, too. */
function report(error: unknown, isJson: boolean): void {
  process.exitCode = exitCodeOf(error);
  const message = messageOf(error);
  if (message !== undefined) say(`frontdoor: ${message}`);
  if (isJson && process.exitCode !== 0 && !isPrinted(error))
    printJson({ error: { message: (error as Error).message } });
}

// Whoever reads it may have seen enough.
process.stdout.on("error", () => process.exit());

command()
  .parseAsync()
  .catch((error: unknown) => {
    report(error, process.argv.includes("--json"));
  });
