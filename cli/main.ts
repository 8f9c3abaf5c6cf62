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
  addStatus,
  addVerify,
  addWatch,
} from "./commands";
import type { Shell, Topic } from "./completion";
import { type Io, openIo, type Surroundings } from "./shared/io";
import { version } from "./shared/node-version";
import { documentOf, exitCodeOf, isPrinted, messageOf, usageText } from "./shared/outcome";

/** The words that an argument of a command can be. */
const argumentTopics: Partial<Record<string, Topic[]>> = {
  ...{ explain: ["codes"], tunnel: ["tunnels"], share: ["shares"] },
  ...{ "sample-config": ["tunnels"], "device-config": ["tunnels"], metrics: ["tunnels", "shares"] },
};

const completionLines = `
Examples:
  # for this shell; put the line into ~/.bashrc or ~/.zshrc for all shells
  eval "$(pulumi-frontdoor completion bash)"
  eval "$(pulumi-frontdoor completion zsh)"

  # fish
  pulumi-frontdoor completion fish > ~/.config/fish/conf.d/frontdoor.fish`;

/** Adds `completion`, which completes all commands of the program. */
function addCompletion(program: Command, { env, print }: Io): void {
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
      const words = names.filter((name) => topics.includes(name)).flatMap((name) => wordsOf(env, name));
      if (words.length > 0) print(words.join("\n"));
    });
}

function command(io: Io): Command {
  const width = io.stdout.isTTY ? io.stdout.columns : 80;
  const program = new Command("pulumi-frontdoor")
    .description("The IPsec tunnels and shares of a front door, from the command line.")
    .version(version)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => io.stdout.write(text),
      writeErr: (text) => io.stderr.write(text),
      getOutHelpWidth: () => width ?? 80,
      getErrHelpWidth: () => width ?? 80,
      outputError: (text, write) => {
        write(usageText(text));
      },
    })
    .showHelpAfterError('Try "--help".');
  addDoctor(program, io);
  addVerify(program, io);
  addIds(program, io);
  addExplain(program, io);
  addStatus(program, io);
  addLists(program, io);
  addDetails(program, io);
  addSampleConfig(program, io);
  addDeviceConfig(program, io);
  addMetrics(program, io);
  addWatch(program, io);
  addImport(program, io);
  addImpact(program, io);
  addEmulator(program);
  addCompletion(program, io);
  addDashboard(program, io);
  return program;
}

/**
 * Runs the command with these arguments, and returns its exit code. An error is on standard error; with `--json`, standard output also gets
 * it as its only document.
 */
export async function run(argv: string[], surroundings: Surroundings): Promise<number> {
  const io = openIo(surroundings);
  try {
    await command(io).parseAsync(argv, { from: "user" });
    return 0;
  } catch (error) {
    const code = exitCodeOf(error);
    const message = messageOf(error);
    if (message !== undefined) io.say(`frontdoor: ${message}`);
    if (argv.includes("--json") && code !== 0 && !isPrinted(error)) io.printJson({ error: documentOf(error) });
    return code;
  }
}
