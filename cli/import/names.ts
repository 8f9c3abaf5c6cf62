import type { KindName } from "./declared";

interface Entry {
  kind: KindName;
  id: string;
  name: string;
}

/** The longest part of the service's name that is used. Names of tunnels can have four times this length. */
const longest = 60;

/** Words that are reserved in TypeScript, Python or YAML programs, and the names that the programs use themselves. */
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

/** Returns a name of letters, digits and single hyphens that begins with a letter. Every language can make a variable from it. */
function legal({ kind, name }: Entry): string {
  const plain = kebab(kebab(name).slice(0, longest));
  if (plain === "") return kind;
  return /^[0-9]/.test(plain) || reserved.has(plain) ? `${kind}-${plain}` : plain;
}

/**
 * Returns a logical name for each entry, in the same order. It is the service's name, with `-share` if a tunnel has the same name, and with
 * the id if several entries have it. The order of the entries does not change their names.
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
