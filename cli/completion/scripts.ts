interface Option {
  /** `--out` */
  name: string;
  about: string;
  takes: string;
  choices: readonly string[];
}

interface Subcommand {
  name: string;
  about: string;
  options: Option[];
}

export const shells = ["bash", "zsh", "fish"] as const;
export type Shell = (typeof shells)[number];

export const scriptFor = (shell: Shell, commands: Subcommand[]): string => scripts[shell](commands);

const scripts: Record<Shell, (commands: Subcommand[]) => string> = { bash, zsh, fish };

const namesOf = (all: { name: string }[]): string => all.map(({ name }) => name).join(" ");

function bash(commands: Subcommand[]): string {
  const files = new Set(
    commands.flatMap(({ options }) => options.filter(({ takes }) => takes === "a file").map(({ name }) => name)),
  );
  const chosen = commands.flatMap(({ name, options }) =>
    options
      .filter(({ choices }) => choices.length > 0)
      .map((option) => `    "${name} ${option.name}") words="${option.choices.join(" ")}" ;;`),
  );
  return `_frontdoor() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}" words=""
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "${namesOf(commands)} --help --version" -- "$current"))
    return
  fi
  case "$previous" in
    ${[...files].join("|")}) COMPREPLY=($(compgen -f -- "$current")); return ;;
  esac
  case "\${COMP_WORDS[1]} $previous" in
${chosen.join("\n")}
    *) case "\${COMP_WORDS[1]}" in
${commands.map(({ name, options }) => `      ${name}) words="${namesOf(options)} --help" ;;`).join("\n")}
    esac ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -F _frontdoor frontdoor
`;
}

function zsh(commands: Subcommand[]): string {
  const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
  const plain = (text: string) => text.replace(/[[\]:]/g, "\\$&");
  const spec = ({ name, about, takes, choices }: Option) => {
    const value =
      choices.length > 0
        ? `:value:(${choices.join(" ")})`
        : takes === "a file"
          ? ":file:_files"
          : takes === "nothing"
            ? ""
            : ":value:";
    return quoted(`*${name}[${plain(about)}]${value}`);
  };
  return `#compdef frontdoor
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
${commands.map(({ name, options }) => `    ${name}) _arguments ${options.map(spec).join(" ")} '*:id:' ;;`).join("\n")}
  esac
}
compdef _frontdoor frontdoor
`;
}

function fish(commands: Subcommand[]): string {
  const quoted = (text: string) => `'${text.replace(/['\\]/g, "\\$&")}'`;
  const value = ({ takes, choices }: Option) =>
    choices.length > 0
      ? ` -x -a ${quoted(choices.join(" "))}`
      : takes === "a file"
        ? " -r -F"
        : takes === "nothing"
          ? ""
          : " -x";
  const lines = commands.flatMap(({ name, about, options }) => [
    `complete -c frontdoor -n __fish_use_subcommand -a ${name} -d ${quoted(about)}`,
    ...options.map(
      (option) =>
        `complete -c frontdoor -n '__fish_seen_subcommand_from ${name}' -l ${option.name.slice(2)}${value(option)} -d ${quoted(option.about)}`,
    ),
  ]);
  return `complete -c frontdoor -f\n${lines.join("\n")}\n`;
}
