import { isFailed } from "../../provider/api/wire";
import { safeText } from "../../provider/errors";
import { type Field, isArgument, isVisible, valueOf } from "../../provider/fields/field";
import { shareFields } from "../../provider/fields/share";
import { tunnelFields } from "../../provider/fields/tunnel";
import { sameSpelling } from "../../provider/fields/values";
import type { ShareResult, TunnelResult } from "../../provider/functions/args";
import type { Reads } from "../../provider/functions/functions";
import { firstOf } from "../../provider/messages";
import { isLikeOfOtherStack } from "../../provider/origin";
import { type ConfigOptions, configuredFrontDoor, reading, selectedStack } from "../shared/configuration";
import { checkWritable, writeText } from "../shared/files";
import { type Filters, type ListName, kindsFor, withIds } from "../shared/find";
import type { Io } from "../shared/io";
import { CheckFailed, Misuse } from "../shared/outcome";
import { escaped, jsonText } from "../shared/output";

export interface ImportOptions extends ConfigOptions {
  out?: string;
  program?: Language;
  programOut?: string;
  sites?: true;
  filter?: Filters;
  kind?: ListName;
  force?: true;
  json?: true;
}

/** Writes the import file and the program. @throws CheckFailed at the end if it had to leave something out. */
export async function writeImport(io: Io, options: ImportOptions): Promise<void> {
  const { out, program, programOut, filter = {}, kind, force: isForced = false, json: isJson = false } = options;
  const isOfSites = options.sites === true;
  if (isOfSites && (out !== undefined || kind !== undefined || (program !== "ts" && program !== "yaml")))
    throw new Misuse(
      "--sites writes a program that adopts, so it needs --program ts or yaml and --program-out, and takes no --out and no --kind. [options-conflict]",
    );
  if ((program === undefined) !== (programOut === undefined))
    throw new Misuse("--program and --program-out need each other. Give both. [options-conflict]");
  if (out !== undefined && out === programOut)
    throw new Misuse("--out and --program-out name the same file. Name two files. [options-conflict]");
  for (const path of [out, programOut]) if (path !== undefined) checkWritable(io, path, isForced);
  const kindsWanted = kindsFor(filter, isOfSites ? "tunnels" : kind);

  const { config, frontdoorId, isConfigured } = await configuredFrontDoor(io, options);
  const { tunnels, shares } = await reading(io, config, async (reads) =>
    (isOfSites ? findSites : findAll)(reads, frontdoorId, await withIds(io, reads, filter, frontdoorId), kindsWanted),
  );
  const stack = await selectedStack(io);
  const others = [...tunnels, ...shares].filter(({ name }) => stack !== undefined && isLikeOfOtherStack(stack, name));
  if (stack && others.length > 0)
    io.say(
      `by the names, another stack of project ${stack.project} seems to manage ${firstOf(
        others.map(({ name, id }) => `"${safeText(name, 80)}" (${id})`),
        3,
      ).join(", ")}. ` +
        `Is ${stack.stack} the right stack? Two stacks that manage one resource undo each other's changes. [other-stack]`,
    );
  const elsewhere = isConfigured ? undefined : frontdoorId;
  if (isOfSites && programOut !== undefined) {
    const { siteProgramOf, sitesOf } = await import("./sites.js");
    const { sites, ...plan } = sitesOf(tunnels, shares, elsewhere);
    writeText(io, programOut, siteProgramOf(program === "yaml" ? "yaml" : "ts", sites), { isForced });
    if (isJson) io.printJson({ frontdoorId, sites: sites.map(({ name }) => name), ...plan, written: [programOut] });
    const shareCount = sites.reduce((count, { shares: own }) => count + own.length, 0);
    reportLeftOut(
      io,
      plan,
      `front door ${frontdoorId}: ${counted(sites.length, "IPsec site")}, ${counted(shareCount, "IPsec share")} → ${programOut}`,
    );
    refuseIncomplete(plan);
    return;
  }
  const plan = planOf(tunnels, shares, elsewhere);

  const file = importFile(plan.declared);
  const fileText = jsonText(file);
  if (out !== undefined) writeText(io, out, fileText, { isForced });
  if (program && programOut !== undefined) writeText(io, programOut, programOf(program, plan.declared), { isForced });
  const written = [out, programOut].filter((path) => path !== undefined);
  const { leftOut, notReady } = plan;
  if (isJson) io.printJson({ frontdoorId, import: file, leftOut, notReady, written });
  else if (out === undefined) io.print(fileText);
  const count = (kind: KindName) =>
    counted(plan.declared.filter((each) => each.kind === kind).length, kinds[kind].label);
  const into = written.length === 0 ? "" : ` → ${written.join(", ")}`;
  reportLeftOut(io, plan, `front door ${frontdoorId}: ${count("tunnel")}, ${count("share")}${into}`);
  refuseIncomplete(plan);
}

const counted = (number: number, label: string): string => `${number} ${label}${number === 1 ? "" : "s"}`;

/** @throws CheckFailed if the import had to leave something out. */
function refuseIncomplete({ leftOut }: Pick<Plan, "leftOut">): void {
  if (leftOut.length > 0)
    throw new CheckFailed(
      `the import leaves out ${leftOut.length === 1 ? "1 tunnel or share" : `${leftOut.length} tunnels or shares`}. Read the reason of each above. [import-incomplete]`,
    );
}

/** Prints a summary for people on standard error. Standard output is for the next program. */
function reportLeftOut({ say }: Io, { leftOut, notReady }: Omit<Plan, "declared">, summary: string): void {
  const named = ({ kind, name, id }: { kind: KindName; name: string; id: string }) =>
    `${kinds[kind].label} "${safeText(name, 80)}" (${id})`;
  say(summary);
  for (const each of notReady) say(`${named(each)} is ${safeText(each.status, 30)}: ${nextUp(each)}`);
  for (const each of leftOut) say(`left out: ${named(each)}: ${each.reason}`);
}

/** Says what the next run does with a resource that is not DEPLOYED. */
function nextUp({ kind, status }: Plan["notReady"][number]): string {
  if (!isFailed({ status })) return 'the next "pulumi up" waits for it';
  if (kind === "share") return 'the next "pulumi up" sends it again';
  return 'after the import, run "pulumi state unprotect" for it and its shares. The next "pulumi up" then replaces it';
}

/** The required part of a file for `pulumi import --file`. */
export interface ImportFile {
  resources: { type: string; name: string; id: string }[];
}

/**
 * Returns the file for `pulumi import --file`. It has no name table and no parents, because no resource here has another one as parent or
 * provider. It has no `properties`, because they would drop inputs that the provider reads.
 */
export const importFile = (declared: Declared[]): ImportFile => ({
  resources: declared.map(({ kind, name, importId }) => ({ type: kinds[kind].type, name, id: importId })),
});

/** A resource that a program can't declare, with the reason. */
export interface LeftOut {
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
export function argsOf(table: Readonly<Record<string, Field>>, seen: object): Pick<Entry, "args" | "wrong"> {
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

export const isStaying = ({ status }: { status: string }) => status !== "DELETING" && status !== "DELETED";

/**
 * Returns a function that takes the location out of a share, unless it is known to be another one than the tunnel's: then Frontdoor has chosen it.
 * One that a program gives stays behind when the tunnel moves.
 */
export function withLocationOf(tunnels: TunnelResult[]): (share: ShareResult) => ShareResult {
  const locations = new Map(tunnels.map(({ id, locationId }) => [id, locationId]));
  return ({ locationId, ...share }) => {
    const ofTunnel = locations.get(share.ipsecTunnelId);
    const isOwn = ofTunnel !== undefined && !sameSpelling(ofTunnel, locationId);
    return { ...share, ...(isOwn && { locationId }) };
  };
}

/** Plans the declarations. `elsewhere` is a front door that no configuration names, so ids and arguments name it. */
export function planOf(tunnels: TunnelResult[], shares: ShareResult[], elsewhere?: string): Plan {
  const entryOf = (kind: KindName) => (seen: TunnelResult | ShareResult) => ({
    ...seen,
    ...argsOf(kinds[kind].table, seen),
    kind,
  });
  const all: Entry[] = [...tunnels.map(entryOf("tunnel")), ...shares.map(withLocationOf(tunnels)).map(entryOf("share"))]
    .filter(isStaying)
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
      kind,
      name: names[index] ?? id,
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
    "default del delete do elif else enum eval except export exports extends false finally for from frontdoor function get global " +
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
  /** The arguments in the order of the fields' table. */
  args: [name: string, value: Value][];
}

/** Returns the matching tunnels and shares of a front door. It reads each tunnel by id, because lists omit fields. @throws FrontdoorError. */
export async function findAll(
  reads: Reads,
  frontdoorId: string,
  filters: Filters,
  kinds: ListName[],
): Promise<{ tunnels: TunnelResult[]; shares: ShareResult[] }> {
  const args = { ...filters, frontdoorId };
  const [{ tunnels }, { shares }] = await Promise.all([
    kinds.includes("tunnels") ? reads.getTunnels(args) : { tunnels: [] },
    kinds.includes("shares") ? reads.getShares(args) : { shares: [] },
  ]);
  const found = await Promise.all(
    tunnels.filter(isStaying).map(({ id }) => reads.getTunnel({ id, frontdoorId }).catch(absent)),
  );
  return { shares, tunnels: found.flatMap((tunnel) => tunnel ?? []) };
}

/** Returns the matching tunnels with all the shares on them; without filters, all shares. @throws FrontdoorError. */
async function findSites(reads: Reads, frontdoorId: string, filters: Filters, kinds: ListName[]) {
  const { tunnels } = await findAll(reads, frontdoorId, filters, kinds);
  const { shares } = await reads.getShares({ frontdoorId });
  const isWanted = ({ ipsecTunnelId }: ShareResult) => tunnels.some(({ id }) => id === ipsecTunnelId);
  return { tunnels, shares: Object.keys(filters).length > 0 ? shares.filter(isWanted) : shares };
}

/** A tunnel can go between the list and its read. */
function absent(error: unknown): undefined {
  if ((error as { code?: string }).code !== "not-found") throw error;
}

const pythonText = (value: Value): string => {
  if (typeof value === "object") return `${snakeCase(value.tunnel)}.id`;
  return typeof value === "number" ? String(value) : quoted(value);
};

const pythonStatement = ({ kind, name, args }: Declared): string => {
  const variable = kind === "tunnel" ? `${snakeCase(name)} = ` : "";
  const argumentLines = args.map(([key, value]) => `    ${snakeCase(key)}=${pythonText(value)},`);
  const lines = [`${variable}frontdoor.${kinds[kind].className}(`, `    ${quoted(name)},`, ...argumentLines];
  return [...lines, "    opts=pulumi.ResourceOptions(protect=True),", ")"].join("\n");
};

/** Returns a Python program that declares the resources. */
function python(declared: Declared[], about: string[]): string {
  const comment = about.map((line) => `# ${line}`).join("\n");
  const imports = "import pulumi\nimport pulumi_frontdoor as frontdoor";
  return `${[comment, imports, ...declared.map(pythonStatement)].join("\n\n")}\n`;
}

const textOf = (value: Value): string => {
  if (typeof value === "object") return `${camelCase(value.tunnel)}.id`;
  return typeof value === "number" ? String(value) : quoted(value);
};

const statement = ({ kind, name, args }: Declared): string => {
  // Nothing refers to a share, so it needs no variable.
  const variable = kind === "tunnel" ? `const ${camelCase(name)} = ` : "";
  const argumentLines = args.map(([key, value]) => `    ${key}: ${textOf(value)},`);
  const lines = [`${variable}new ${kinds[kind].className}(`, `  ${quoted(name)},`, "  {", ...argumentLines, "  },"];
  return [...lines, "  { protect: true },", ");"].join("\n");
};

/** Returns a TypeScript program that declares the resources. */
function typescript(declared: Declared[], about: string[]): string {
  const classes = [...new Set(declared.map(({ kind }) => kinds[kind].className))].sort();
  const comment = about.map((line) => `// ${line}`).join("\n");
  const imports = classes.length === 0 ? [] : [`import { ${classes.join(", ")} } from "pulumi-frontdoor/plugin";`];
  return `${[comment, ...imports, ...declared.map(statement)].join("\n\n")}\n`;
}

export const yamlText = (value: Value): string => {
  if (typeof value === "object") return `\${${value.tunnel}.id}`;
  // In a text, "${" begins an expression.
  return typeof value === "number" ? String(value) : quoted(value.replace(/\$(?=\{)/g, "$$$$"));
};

const entry = ({ kind, name, args }: Declared): string => {
  const argumentLines = args.map(([key, value]) => `      ${key}: ${yamlText(value)}`);
  const lines = [`  ${name}:`, `    type: ${kinds[kind].type}`, "    properties:", ...argumentLines];
  return [...lines, "    options:", "      protect: true"].join("\n");
};

/** The resources as a YAML program: the file `Main.yaml` beside a `Pulumi.yaml`, or a part of that. */
function yaml(declared: Declared[], about: string[]): string {
  const comment = about.map((line) => `# ${line}`);
  const resources = declared.length === 0 ? ["resources: {}"] : ["resources:", ...declared.map(entry)];
  return `${[...comment, ...resources].join("\n")}\n`;
}

type Program = (declared: Declared[], about: string[]) => string;

const programs: Record<Language, Program> = { ts: typescript, python, yaml };

const about = [
  'Written by "pulumi-frontdoor import". All resources are protected, as after "pulumi import".',
  'Remove "protect" from a resource before you delete or replace it.',
];

/** Returns a whole program that declares these resources. It holds no secret. */
export const programOf = (language: Language, declared: Declared[]): string => programs[language](declared, about);

/** The languages of the programs. */
export type Language = "ts" | "python" | "yaml";
