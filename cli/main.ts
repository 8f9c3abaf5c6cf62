import { Command } from "commander";
import { addCompletion } from "./complete";
import {
  addDashboard,
  addDetails,
  addDeviceConfig,
  addDoctor,
  addEmulator,
  addExplain,
  addIds,
  addImpact,
  addImport,
  addLists,
  addMetrics,
  addSampleConfig,
  addVerify,
  addWatch,
} from "./commands";
import { documentOf, exitCodeOf, isPrinted, messageOf, usageText } from "./outcome";
import { printJson, say } from "./output";

/** The bundler replaces this name by the version. */
declare const VERSION: string;

function command(): Command {
  const program = new Command("frontdoor")
    .description("The IPsec tunnels and shares of a front door, from the command line.")
    .version(VERSION)
    .exitOverride()
    .configureOutput({
      outputError: (text, write) => {
        write(usageText(text));
      },
    })
    .showHelpAfterError('Try "--help".');
  addDoctor(program);
  addVerify(program);
  addIds(program);
  addExplain(program);
  addLists(program);
  addDetails(program);
  addSampleConfig(program);
  addDeviceConfig(program);
  addMetrics(program);
  addWatch(program);
  addImport(program);
  addImpact(program);
  addEmulator(program);
  addCompletion(program);
  addDashboard(program);
  return program;
}

/** Prints the error on standard error. With `--json`, standard output also gets the error as its only document. */
function report(error: unknown, isJson: boolean): void {
  process.exitCode = exitCodeOf(error);
  const message = messageOf(error);
  if (message !== undefined) say(`frontdoor: ${message}`);
  if (isJson && process.exitCode !== 0 && !isPrinted(error)) printJson({ error: documentOf(error) });
}

// A reader such as `head` can close the pipe early.
process.stdout.on("error", () => process.exit());

command()
  .parseAsync()
  .catch((error: unknown) => {
    report(error, process.argv.includes("--json"));
  });
