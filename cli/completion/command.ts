import type { Command } from "commander";
import { Argument } from "commander";
import { print } from "../output";
import { shells, scriptFor, type Shell } from "./scripts";

const lines = `
Examples:
  # for this shell; put the line into ~/.bashrc or ~/.zshrc for all shells
  eval "$(frontdoor completion bash)"
  eval "$(frontdoor completion zsh)"

  # fish
  frontdoor completion fish > ~/.config/fish/completions/frontdoor.fish`;

/** Adds `completion`, which completes all commands of the program. */
export function addCompletion(program: Command): void {
  program
    .command("completion")
    .description("print a script that completes commands and options in a shell")
    .addArgument(new Argument("<shell>").choices(shells))
    .addHelpText("after", lines)
    .action((shell: Shell) => {
      const named = program.commands.map((command) => ({
        name: command.name(),
        about: command.description(),
        options: command.options.map(({ long, description, required, argChoices, flags }) => ({
          name: long ?? "",
          about: description,
          takes: !required ? "nothing" : flags.endsWith("<file>") ? "a file" : "a value",
          choices: argChoices ?? [],
        })),
      }));
      print(scriptFor(shell, named));
    });
}
