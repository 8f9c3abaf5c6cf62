import { shareFields } from "../provider/fields/share";
import { tunnelFields } from "../provider/fields/tunnel";
import { OwnFolder, stateFolder } from "../provider/run/files";
import { catalogue } from "./explain/explain";
import type { ListName } from "./shared/find";

interface Option {
  /** `--out` */
  name: string;
  about: string;
  takes: string;
  choices: readonly string[];
  /** What `pulumi-frontdoor complete` is asked for the values of the option. */
  topic?: string | undefined;
}

interface Subcommand {
  name: string;
  about: string;
  /** What `pulumi-frontdoor complete` is asked for the arguments. */
  topics: string[];
  options: Option[];
}

export type Shell = "bash" | "zsh" | "fish";

export const scriptFor = (shell: Shell, commands: Subcommand[]): string => scripts[shell](commands);

const scripts: Record<Shell, (commands: Subcommand[]) => string> = { bash, zsh, fish };

const namesOf = (all: { name: string }[]): string => all.map(({ name }) => name).join(" ");

const asking = (topics: string[]): string => `$(pulumi-frontdoor complete ${topics.join(" ")} 2>/dev/null)`;

function bash(commands: Subcommand[]): string {
  const files = new Set(
    commands.flatMap(({ options }) => options.filter(({ takes }) => takes === "a file").map(({ name }) => name)),
  );
  const chosen = commands.flatMap(({ name, options }) =>
    options
      .filter(({ choices }) => choices.length > 0)
      .map((option) => `    "${name} ${option.name}") words="${option.choices.join(" ")}" ;;`),
  );
  const filtering = commands.filter(({ options }) => options.some(({ topic }) => topic !== undefined));
  const taking = commands.filter(({ topics }) => topics.length > 0);
  return `_frontdoor() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}" words="" before=""
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "${namesOf(commands)} --help --version" -- "$current"))
    return
  fi
  case "$previous" in
    ${[...files].join("|")}) COMPREPLY=($(compgen -f -- "$current")); return ;;
  esac
  # bash makes a word of each = by itself.
  if [ "$current" = = ]; then before="$previous=" current=""
  elif [ "$previous" = = ]; then before="\${COMP_WORDS[COMP_CWORD-2]}="; fi
  if [ -n "$before" ] || [ "$previous" = --filter ]; then
    case "\${COMP_WORDS[1]}" in
${filtering.map(({ name }) => `      ${name}) words="${asking([`${name}-filters`])}" ;;`).join("\n")}
    esac
    if [ -n "$before" ]; then words="$(sed -n "s/^$before//p" <<< "$words")"; else words="$(sed 's/=.*/=/' <<< "$words" | sort -u)"; fi
    compopt -o nospace 2>/dev/null
    COMPREPLY=($(compgen -W "$words" -- "$current"))
    return
  fi
  if [ "\${current#-}" = "$current" ] && [ "\${previous#-}" = "$previous" ]; then
    case "\${COMP_WORDS[1]}" in
${taking.map(({ name, topics }) => `      ${name}) COMPREPLY=($(compgen -W "${asking(topics)}" -- "$current")); [ -n "$current" ] && return ;;`).join("\n")}
    esac
    [ \${#COMPREPLY[@]} -gt 0 ] && return
  fi
  case "\${COMP_WORDS[1]} $previous" in
${chosen.join("\n")}
    *) case "\${COMP_WORDS[1]}" in
${commands.map(({ name, options }) => `      ${name}) words="${namesOf(options)} --help" ;;`).join("\n")}
    esac ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -F _frontdoor pulumi-frontdoor frontdoor
`;
}

function zsh(commands: Subcommand[]): string {
  const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
  const plain = (text: string) => text.replace(/[[\]:]/g, "\\$&");
  const offered = (topics: string[]) => `{compadd -- ${asking(topics)}}`;
  const spec = ({ name, about, takes, choices, topic }: Option) => {
    const value =
      topic !== undefined
        ? `:value:${offered([topic])}`
        : choices.length > 0
          ? `:value:(${choices.join(" ")})`
          : takes === "a file"
            ? ":file:_files"
            : takes === "nothing"
              ? ""
              : ":value:";
    return quoted(`*${name}[${plain(about)}]${value}`);
  };
  return `#compdef pulumi-frontdoor frontdoor
_frontdoor() {
  local -a commands
  commands=(${commands.map(({ name, about }) => quoted(`${name}:${plain(about)}`)).join(" ")})
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  local command=$words[2]
  shift words
  (( CURRENT-- ))
  case $command in
${commands
  .map(
    ({ name, options, topics }) =>
      `    ${name}) _arguments ${options.map(spec).join(" ")} ${quoted(`*:id:${topics.length > 0 ? offered(topics) : ""}`)} ;;`,
  )
  .join("\n")}
  esac
}
_frontdoor_complete() {
  precmd_functions=(\${precmd_functions:#_frontdoor_complete})
  (( $+functions[compdef] )) && compdef _frontdoor pulumi-frontdoor frontdoor
}
# A line of ~/.zshrc can stand before compinit: then the first prompt does it.
if (( $+functions[compdef] )); then _frontdoor_complete; else precmd_functions+=(_frontdoor_complete); fi
`;
}

function fish(commands: Subcommand[]): string {
  const quoted = (text: string) => `'${text.replace(/['\\]/g, "\\$&")}'`;
  const value = ({ takes, choices, topic }: Option) =>
    topic !== undefined
      ? ` -x -a ${quoted(`(pulumi-frontdoor complete ${topic} 2>/dev/null)`)}`
      : choices.length > 0
        ? ` -x -a ${quoted(choices.join(" "))}`
        : takes === "a file"
          ? " -r -F"
          : takes === "nothing"
            ? ""
            : " -x";
  const lines = commands.flatMap(({ name, about, options, topics }) => [
    `complete -c pulumi-frontdoor -n __fish_use_subcommand -a ${name} -d ${quoted(about)}`,
    ...(topics.length > 0
      ? [
          `complete -c pulumi-frontdoor -n '__fish_seen_subcommand_from ${name}' -a ${quoted(`(pulumi-frontdoor complete ${topics.join(" ")} 2>/dev/null)`)}`,
        ]
      : []),
    ...options.map(
      (option) =>
        `complete -c pulumi-frontdoor -n '__fish_seen_subcommand_from ${name}' -l ${option.name.slice(2)}${value(option)} -d ${quoted(option.about)}`,
    ),
  ]);
  const script = `complete -c pulumi-frontdoor -f\n${lines.join("\n")}\n`;
  return `${script}${script.replaceAll("complete -c pulumi-frontdoor ", "complete -c frontdoor ")}`;
}

/** The words that a shell can offer: the codes, ids and names, or `property=value` of a filter. */
export const topics = ["codes", "tunnels", "shares", "tunnels-filters", "shares-filters"] as const;
export type Topic = (typeof topics)[number];

const filtered = ["status", "locationId", "envZId", "ipsecTunnelId"];
const mostEntries = 2000;
/** Other values could be syntax of a shell. */
const isPlain = (word: unknown): word is string => typeof word === "string" && /^\w[\w.@-]{0,254}$/.test(word);
const folderIn = (env: NodeJS.ProcessEnv) => new OwnFolder(stateFolder(env), "completion");

/** Keeps the words of a list for completion, which asks no service. A folder that cannot be written has no effect. */
export function remember(env: NodeJS.ProcessEnv, kind: ListName, entries: readonly object[]): void {
  const rows = entries.slice(0, mostEntries).map((entry): [string, unknown][] => Object.entries(entry));
  const named = rows.flatMap((row) => row.flatMap(([key, value]) => (["id", "name"].includes(key) ? [value] : [])));
  const pairs = rows.flatMap((row) =>
    row.flatMap(([key, value]) => (filtered.includes(key) && isPlain(value) ? [`${key}=${value}`] : [])),
  );
  try {
    const folder = folderIn(env);
    folder.write(kind, linesOf(named.filter(isPlain)));
    folder.write(`${kind}-filters`, linesOf(pairs));
  } catch {
    return;
  }
}

const linesOf = (words: string[]) => [...new Set(words)].sort().join("\n");

/** Returns the words of a topic, without a request: ids, names and values are those of the last `tunnels` or `shares`. */
export function wordsOf(env: NodeJS.ProcessEnv, topic: Topic): string[] {
  if (topic === "codes") return catalogue.flatMap(({ entries }) => entries.map(({ code }) => code)).sort();
  const kept = readKept(env, topic);
  if (!topic.endsWith("-filters")) return kept;
  const table = topic.startsWith("tunnels") ? tunnelFields : shareFields;
  return [...["id", ...Object.keys(table)].map((name) => `${name}=`), ...kept];
}

function readKept(env: NodeJS.ProcessEnv, topic: string): string[] {
  try {
    return (folderIn(env).read(topic) ?? "").split("\n").filter((word) => word !== "");
  } catch {
    return [];
  }
}
