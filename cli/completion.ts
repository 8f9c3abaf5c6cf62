import type { Command } from "commander";
import { shareFields } from "../provider/fields/share";
import { tunnelFields } from "../provider/fields/tunnel";
import { OwnFolder, stateFolder } from "../provider/run/files";
import { catalogue } from "./explain";
import type { ListName } from "./shared/find";

/** For each shell a script that asks `pulumi-frontdoor complete` for the words at the cursor. */
export const scripts = {
  bash: `_frontdoor() {
  local IFS=$'\\n' current="\${COMP_WORDS[COMP_CWORD]}"
  COMPREPLY=($(pulumi-frontdoor complete bash -- "\${COMP_WORDS[@]:0:COMP_CWORD}" "$current" 2>/dev/null))
  if [ "\${COMPREPLY[0]}" = :files ]; then COMPREPLY=($(compgen -f -- "$current")); fi
  case "\${COMPREPLY[0]}" in *=) compopt -o nospace 2>/dev/null ;; esac
}
complete -F _frontdoor pulumi-frontdoor frontdoor
`,
  zsh: `#compdef pulumi-frontdoor frontdoor
_frontdoor() {
  local -a found=("\${(@f)$(pulumi-frontdoor complete zsh -- "\${(@)words[1,CURRENT-1]}" "$words[CURRENT]" 2>/dev/null)}")
  if [[ $found[1] == :files ]]; then _files
  elif [[ $found[1] == *= ]]; then compadd -S '' -- $found
  elif [[ -n $found[1] ]]; then _describe value found; fi
}
_frontdoor_complete() {
  precmd_functions=(\${precmd_functions:#_frontdoor_complete})
  (( $+functions[compdef] )) && compdef _frontdoor pulumi-frontdoor frontdoor
}
# A line of ~/.zshrc can stand before compinit: then the first prompt does it.
if (( $+functions[compdef] )); then _frontdoor_complete; else precmd_functions+=(_frontdoor_complete); fi
`,
  fish: `function __frontdoor_complete
  set -l current (commandline -ct)
  set -l found (pulumi-frontdoor complete fish -- (commandline -opc) "$current" 2>/dev/null)
  if test "$found[1]" = :files
    __fish_complete_path "$current"
  else
    printf '%s\\n' $found
  end
end
complete -c pulumi-frontdoor -f -a '(__frontdoor_complete)'
complete -c frontdoor -f -a '(__frontdoor_complete)'
`,
};
export type Shell = keyof typeof scripts;

type Offer = [word: string, about?: string];

/** How a shell gets a word and its description. */
const lineOf: Record<Shell, (offer: Offer) => string> = {
  bash: ([word]) => word,
  zsh: ([word, about]) => (about === undefined ? word : `${word.replaceAll(":", "\\:")}:${about}`),
  fish: (offer) => offer.join("\t"),
};

/** Returns the lines that a shell offers for the words of a command line, the last of which is being typed. It sends no request. */
export function linesFor(shell: Shell, program: Command, env: NodeJS.ProcessEnv, words: string[]): string {
  // bash makes a word of each = by itself.
  const at = shell === "bash" ? words.indexOf("=", -2) : -1;
  const [, ...line] = at === -1 ? words : words.toSpliced(at - 1, 3, words.slice(at - 1, at + 2).join(""));
  const current = line.at(-1) ?? "";
  const offered = offersFor(program, env, line);
  if (offered === "files") return ":files";
  return offered
    .filter(([word]) => word.startsWith(current))
    .map(([word, about]): Offer => (at === -1 ? [word, about] : [word.replace(/^.*?=/, "")]))
    .map((offer) => lineOf[shell](offer))
    .join("\n");
}

/** The words that an argument of a command can be. */
const argumentTopics: Partial<Record<string, Topic[]>> = {
  explain: ["codes"],
  tunnel: ["tunnels"],
  share: ["shares"],
  "sample-config": ["tunnels"],
  "device-config": ["tunnels"],
  metrics: ["tunnels", "shares"],
};
const help: Offer = ["--help", "display help"];

function offersFor(program: Command, env: NodeJS.ProcessEnv, words: string[]): Offer[] | "files" {
  const [name, previous, current] = [words[0], words.at(-2), words.at(-1) ?? ""];
  const commands = program.commands.filter((each) => each.name() !== "complete");
  if (words.length < 2)
    return [...commands.map((each): Offer => [each.name(), each.description()]), help, ["--version"]];
  const command = commands.find((each) => each.name() === name);
  if (!command) return [];
  const option = command.options.find(({ long, required }) => required && long === previous);
  if (option?.flags.endsWith("<file>")) return "files";
  if (option?.long === "--filter") return filtersOf(env, command.name() as ListName, current);
  if (option) return (option.argChoices ?? []).map((each): Offer => [each]);
  const choices = command.registeredArguments.flatMap(({ argChoices = [] }) => argChoices);
  const ids = (argumentTopics[command.name()] ?? []).flatMap((topic) => wordsOf(env, topic));
  const named = [...choices, ...ids].map((word): Offer => [word]);
  const options = command.options.map(({ long, description }): Offer => [long ?? "", description]);
  return current.startsWith("-") || named.length === 0 ? [...options, help] : named;
}

type Topic = "codes" | ListName;

const filtered = ["status", "locationId", "envZId", "ipsecTunnelId"];
const mostEntries = 2000;
/** Other values could be syntax of a shell. */
const isPlain = (word: unknown): word is string => typeof word === "string" && /^\w[\w.@-]{0,254}$/.test(word);
const folderIn = (env: NodeJS.ProcessEnv) => new OwnFolder(stateFolder(env), "completion");

/** Keeps the words of a list for completion, which asks no service. A folder that cannot be written has no effect. */
export function remember(env: NodeJS.ProcessEnv, kind: ListName, entries: readonly object[]): void {
  const plain = entries
    .slice(0, mostEntries)
    .flatMap((entry) => Object.entries(entry).filter(([, value]) => isPlain(value))) as [string, string][];
  const [named, paired] = [["id", "name"], filtered].map((keys) => plain.filter(([key]) => keys.includes(key)));
  try {
    const folder = folderIn(env);
    folder.write(kind, linesOf((named ?? []).map(([, value]) => value)));
    folder.write(`${kind}-filters`, linesOf((paired ?? []).map((pair) => pair.join("="))));
  } catch {
    return;
  }
}

const linesOf = (words: string[]) => [...new Set(words)].sort().join("\n");

/** Returns codes, or the ids and names of the last `tunnels` or `shares`. */
const wordsOf = (env: NodeJS.ProcessEnv, topic: Topic): string[] =>
  topic === "codes" ? catalogue.flatMap(({ entries }) => entries.map(({ code }) => code)).sort() : readKept(env, topic);

/** Returns the properties, or once one is typed, its values in the last list. */
function filtersOf(env: NodeJS.ProcessEnv, kind: ListName, current: string): Offer[] {
  const names = ["id", ...Object.keys(kind === "tunnels" ? tunnelFields : shareFields)];
  const words = current.includes("=") ? readKept(env, `${kind}-filters`) : names.map((name) => `${name}=`);
  return words.map((word) => [word]);
}

function readKept(env: NodeJS.ProcessEnv, topic: string): string[] {
  try {
    return (folderIn(env).read(topic) ?? "").split("\n").filter((word) => word !== "");
  } catch {
    return [];
  }
}
