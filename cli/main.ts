import { Argument, Command } from "commander";
import { addCommands, addDashboard } from "./commands";
import type { Shell } from "./completion";
import { type Io, openIo, type Surroundings } from "./shared/io";
import { version } from "./shared/node-version";
import { documentOf, exitCodeOf, isPrinted, messageOf, usageText } from "./shared/outcome";

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
      print((await import("./completion.js")).scripts[shell]);
    });
  // The scripts ask for the words at the cursor.
  program
    .command("complete", { hidden: true })
    .argument("<shell>")
    .argument("[words...]")
    .action(async (shell: Shell, words: string[]) => {
      print((await import("./completion.js")).linesFor(shell, program, env, words));
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
  addCommands(program, io);
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
