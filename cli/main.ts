import { Argument, Command } from "commander";
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
import type { Shell, Topic } from "./completion";
import { documentOf, exitCodeOf, isPrinted, messageOf, usageText } from "./outcome";
import { print, printJson, say } from "./output";

/** The words that an argument of a command can be. */
const argumentTopics: Partial<Record<string, Topic[]>> = {
  ...{ explain: ["codes"], tunnel: ["tunnels"], share: ["shares"] },
  ...{ "sample-config": ["tunnels"], "device-config": ["tunnels"], metrics: ["tunnels", "shares"] },
};

const completionLines = `
Examples:
  # for this shell; put the line into ~/.bashrc or ~/.zshrc for all shells
  eval "$(frontdoor completion bash)"
  eval "$(frontdoor completion zsh)"

  # fish
  frontdoor completion fish > ~/.config/fish/completions/frontdoor.fish`;

/** Adds `completion`, which completes all commands of the program. */
function addCompletion(program: Command): void {
  program
    .command("completion")
    .description("print a script that completes commands and options in a shell")
    .addArgument(new Argument("<shell>").choices(["bash", "zsh", "fish"] satisfies Shell[]))
    .addHelpText("after", completionLines)
    .action(async (shell: Shell) => {
      const { scriptFor } = await import("./completion.js");
      const shown = program.commands.filter((command) => command.name() !== "complete");
      const named = shown.map((command) => ({
        name: command.name(),
        topics: argumentTopics[command.name()] ?? [],
        about: command.description(),
        options: command.options.map(({ long, description, required, argChoices, flags }) => ({
          name: long ?? "",
          about: description,
          takes: !required ? "nothing" : flags.endsWith("<file>") ? "a file" : "a value",
          choices: argChoices ?? [],
          topic: long === "--filter" ? `${command.name()}-filters` : undefined,
        })),
      }));
      print(scriptFor(shell, named));
    });
  // The scripts ask for words that change. It sends no request.
  program
    .command("complete", { hidden: true })
    .argument("<topics...>")
    .action(async (names: Topic[]) => {
      const { topics, wordsOf } = await import("./completion.js");
      const words = names.filter((name) => topics.includes(name)).flatMap(wordsOf);
      if (words.length > 0) print(words.join("\n"));
    });
}

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
