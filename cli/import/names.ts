import type { KindName } from "./declared";

interface Entry {
  kind: KindName;
  id: string;
  name: string;
}

/** Of what the service calls it: the names of tunnels can be four times as long. */
const longest = 60;

/** Words that a variable of TypeScript or Python, or a key of a YAML program, can't be, and what the programs use themselves. */
const reserved = new Set(
  (
    "abstract and any arguments as assert async await boolean break case catch class const continue debugger declare def " +
    "default del delete do elif else enum eval except export extends false finally for from frontdoor function get global " +
    "if implements import in instanceof interface is lambda let match module new no none nonlocal not null number of off " +
    "on or package pass private protected public pulumi raise require return set static string super switch symbol this " +
    "throw true try type typeof undefined var void while with yes yield"
  ).split(" "),
);

const kebab = (text: string): string =>
  text
    .replace(/ß/g, "ss")
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "");

/** Letters, digits and single hyphens, a letter first: what every language can make a variable of. */
function legal({ kind, name }: Entry): string {
  const plain = kebab(kebab(name).slice(0, longest));
  if (plain === "") return kind;
  return /^[0-9]/.test(plain) || reserved.has(plain) ? `${kind}-${plain}` : plain;
}

/**
 * A logical name for each, in the same order: from the service's name, a share's other than any tunnel's, and with the id where
 * several would have the same. The same entries get the same names, in whatever order they come.
 */
export function logicalNames(entries: readonly Entry[]): string[] {
  const tunnels = new Set(entries.filter(({ kind }) => kind === "tunnel").map(legal));
  const wanted = entries.map((entry) => {
    const name = legal(entry);
    return entry.kind === "share" && tunnels.has(name) ? `${name}-share` : name;
  });
  const isShared = (name: string) => wanted.indexOf(name) !== wanted.lastIndexOf(name);
  const taken = new Set(wanted.filter((name) => !isShared(name)));
  const names = [...wanted];
  const byId = entries.map((entry, index) => ({ index, key: `${entry.kind} ${entry.id}`, id: entry.id }));
  for (const { index, id } of byId.sort((a, b) => (a.key < b.key ? -1 : 1))) {
    const name = wanted[index] ?? "";
    if (!isShared(name)) continue;
    const withId = kebab(`${name} ${id}`);
    let free = withId;
    for (let count = 2; taken.has(free); count++) free = `${withId}-${count}`;
    taken.add(free);
    names[index] = free;
  }
  return names;
}
