import { Argument, type Command } from "commander";
import type { Shell, Topic } from "./completion";
import { print } from "./output";

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
export function addCompletion(program: Command): void {
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
