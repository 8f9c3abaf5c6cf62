import { type Field, isArgument, isVisible, valueOf } from "../../provider/fields/field";
import { shareFields } from "../../provider/fields/share";
import { tunnelFields } from "../../provider/fields/tunnel";
import type { ShareResult, TunnelResult } from "../../provider/functions/args";
import type { Reads } from "../../provider/functions/functions";
import type { Filters, Wanted } from "../find";
import { escaped } from "../output";

/** A resource that a program can't declare, with the reason. */
interface LeftOut {
  kind: KindName;
  id: string;
  name: string;
  reason: string;
}

/** The resources that a program can declare: tunnels first, then by name. */
export interface Plan {
  declared: Declared[];
  leftOut: LeftOut[];
  /** Declared, but the next `pulumi up` has something to do for it. */
  notReady: { kind: KindName; id: string; name: string; status: string }[];
}

type Entry = { kind: KindName; args: [string, Value][]; wrong: string[] } & (TunnelResult | ShareResult);

/**
 * Returns the arguments for the values that the service shows. If the provider's check refuses a value, it tries another spelling with
 * the same meaning. Without a valid spelling it leaves out an argument that may be omitted. Any other argument is wrong.
 */
function argsOf(table: Readonly<Record<string, Field>>, seen: object): Pick<Entry, "args" | "wrong"> {
  const args: [string, Value][] = [];
  const wrong: string[] = [];
  for (const [name, field] of Object.entries(table)) {
    const value = valueOf(seen, name);
    if (!isArgument(field) || !isVisible(field) || value === undefined) continue;
    const canonical = typeof value === "string" ? field.meaning?.(value) : undefined;
    const right = [value, canonical].map((each) => field.is.safeParse(each)).find(({ success }) => success);
    if (right?.success && (typeof right.data === "string" || typeof right.data === "number"))
      args.push([name, right.data]);
    else if (field.whenOmitted !== "unchanged")
      wrong.push(`${name} ${field.is.safeParse(value).error?.issues[0]?.message ?? "is wrong"}`);
  }
  return { args, wrong };
}

/** Returns the reason why a program can't declare this resource besides the resources before it. */
function reasonAgainst({ kind, name, wrong }: Entry, before: Entry[]): string | undefined {
  if (wrong.length > 0) return `the provider refuses it: ${wrong.join("; ")}`;
  const holder = before.find((other) => other.kind === kind && other.name === name);
  if (!holder) return undefined;
  return `${holder.id} has the same name. Rename one of them, or import it to another stack (--filter id=…)`;
}

const byText = (a: string, b: string) => (a < b ? -1 : 1);

/** Plans the declarations. `elsewhere` is a front door that no configuration names, so ids and arguments name it. */
export function planOf(tunnels: TunnelResult[], shares: ShareResult[], elsewhere?: string): Plan {
  const entryOf = (kind: KindName) => (seen: TunnelResult | ShareResult) => ({
    ...seen,
    ...argsOf(kinds[kind].table, seen),
    kind,
  });
  const all: Entry[] = [...tunnels.map(entryOf("tunnel")), ...shares.map(entryOf("share"))]
    .filter(({ status }) => status !== "DELETING" && status !== "DELETED")
    .sort((a, b) => byText(a.id, b.id));

  const kept: Entry[] = [];
  const leftOut: LeftOut[] = [];
  for (const entry of all) {
    const { kind, id, name } = entry;
    const reason = reasonAgainst(entry, kept);
    if (reason === undefined) kept.push(entry);
    else leftOut.push({ kind, id, name, reason });
  }

  const names = logicalNames(kept);
  const tunnelNames = new Map(kept.flatMap(({ kind, id }, index) => (kind === "tunnel" ? [[id, names[index]]] : [])));
  const declared = kept.map(({ kind, id, args }, index): Declared => {
    const linked = args.map(([name, value]): [string, Value] => {
      const tunnel = name === "ipsecTunnelId" && typeof value === "string" ? tunnelNames.get(value) : undefined;
      return [name, tunnel === undefined ? value : { tunnel }];
    });
    return {
      ...{ kind, name: names[index] ?? id },
      importId: elsewhere === undefined ? id : `${elsewhere}/${id}`,
      args: elsewhere === undefined ? linked : [...linked, ["frontdoorId", elsewhere]],
    };
  });
  const isTunnel = ({ kind }: Declared) => (kind === "tunnel" ? 0 : 1);
  declared.sort((a, b) => isTunnel(a) - isTunnel(b) || byText(a.name, b.name));
  const notReady = kept.flatMap(({ kind, id, name, status }) =>
    status === "DEPLOYED" ? [] : { kind, id, name, status },
  );
  return { declared, leftOut, notReady };
}

interface Claim {
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
function legal({ kind, name }: Claim): string {
  const plain = kebab(kebab(name).slice(0, longest));
  if (plain === "") return kind;
  return /^[0-9]/.test(plain) || reserved.has(plain) ? `${kind}-${plain}` : plain;
}

/**
 * Returns a logical name for each entry, in the same order. It is the service's name, with `-share` if a tunnel has the same name, and with
 * the id if several entries have it. The order of the entries does not change their names.
 */
export function logicalNames(entries: readonly Claim[]): string[] {
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

/** Returns a text between double quotes that TypeScript, Python and YAML can read. */
export const quoted = (text: string): string => escaped(JSON.stringify(text));

/** Returns `branchOffice_2` for `branch-office-2`. The underscore before a digit keeps different names different. */
export const camelCase = (name: string): string =>
  name.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase()).replaceAll("-", "_");

/** Returns `branch_office` for `branch-office` or `branchOffice`. */
export const snakeCase = (name: string): string =>
  name.replaceAll("-", "_").replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

export type KindName = "tunnel" | "share";

/** The properties of each kind. */
export const kinds = {
  tunnel: { type: "frontdoor:index:IpsecTunnel", className: "IpsecTunnel", label: "IPsec tunnel", table: tunnelFields },
  share: { type: "frontdoor:index:IpsecShare", className: "IpsecShare", label: "IPsec share", table: shareFields },
} as const;

/** A value, or the id of the tunnel that the program declares under this logical name. */
export type Value = string | number | { tunnel: string };

/** A resource as an import file and a program declare it. */
export interface Declared {
  kind: KindName;
  /** The id for `pulumi import`: `<id>`, or `<frontdoorId>/<id>`. */
  importId: string;
  /** The logical name. It is unique among all kinds. */
  name: string;
  /** Every argument that counts as set after a read by id only, in the order of the fields' table. */
  args: [name: string, value: Value][];
}

/** Returns the matching tunnels and shares of a front door. It reads each tunnel by id, because lists omit fields. @throws FrontdoorError. */
export async function findAll(
  reads: Reads,
  frontdoorId: string,
  filters: Filters,
  kinds: Wanted[],
): Promise<{ tunnels: TunnelResult[]; shares: ShareResult[] }> {
  const args = { ...filters, frontdoorId };
  const [{ tunnels }, { shares }] = await Promise.all([
    kinds.includes("tunnels") ? reads.getTunnels(args) : { tunnels: [] },
    kinds.includes("shares") ? reads.getShares(args) : { shares: [] },
  ]);
  const staying = tunnels.filter(({ status }) => status !== "DELETING" && status !== "DELETED");
  return { shares, tunnels: await Promise.all(staying.map(({ id }) => reads.getTunnel({ id, frontdoorId }))) };
}
