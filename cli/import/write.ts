import { safeText } from "../../provider/errors";
import { connectionOf, type ConnectionOptions, reading } from "../connection";
import { checkWritable, writeText } from "../files";
import { type Filters, kindsFor, type Wanted } from "../find";
import { CheckFailed, Misuse } from "../outcome";
import { jsonText, print, printJson, say } from "../output";
import { type Declared, findAll, type KindName, kinds, type Plan, planOf } from "./plan";
import { type Language, programOf } from "./programs";

export interface ImportOptions extends ConnectionOptions {
  out?: string;
  program?: Language;
  programOut?: string;
  filter?: Filters;
  kind?: Wanted;
  force?: true;
  json?: true;
}

/** Writes the import file and the program. @throws CheckFailed at the end if it had to leave something out. */
export async function writeImport(options: ImportOptions): Promise<void> {
  const { out, program, programOut, filter = {}, kind, force: isForced = false, json: isJson = false } = options;
  if ((program === undefined) !== (programOut === undefined))
    throw new Misuse("--program and --program-out need each other. Give both. [options-conflict]");
  if (out !== undefined && out === programOut)
    throw new Misuse("--out and --program-out name the same file. Name two files. [options-conflict]");
  for (const path of [out, programOut]) if (path !== undefined) checkWritable(path, isForced);
  const kindsWanted = kindsFor(filter, kind);

  const { config, frontdoorId, isConfigured } = await connectionOf(options, process.env);
  const { tunnels, shares } = await reading(config, (reads) => findAll(reads, frontdoorId, filter, kindsWanted));
  const plan = planOf(tunnels, shares, isConfigured ? undefined : frontdoorId);

  const file = importFile(plan.declared);
  const fileText = jsonText(file);
  if (out !== undefined) writeText(out, fileText, isForced);
  if (program && programOut !== undefined) writeText(programOut, programOf(program, plan.declared), isForced);
  const written = [out, programOut].filter((path) => path !== undefined);
  const { leftOut, notReady } = plan;
  if (isJson) printJson({ frontdoorId, import: file, leftOut, notReady, written });
  else if (out === undefined) print(fileText);
  tell(plan, frontdoorId, written);
  if (leftOut.length > 0)
    throw new CheckFailed(
      `the import leaves out ${leftOut.length} tunnels or shares. Read the reason of each above. [import-incomplete]`,
    );
}

/** Prints a summary for people on standard error. Standard output is for the next program. */
function tell({ declared, leftOut, notReady }: Plan, frontdoorId: string, written: string[]): void {
  const named = ({ kind, name, id }: { kind: KindName; name: string; id: string }) =>
    `${kinds[kind].label} "${safeText(name, 80)}" (${id})`;
  const count = (kind: KindName) => {
    const number = declared.filter((each) => each.kind === kind).length;
    return `${number} ${kinds[kind].label}${number === 1 ? "" : "s"}`;
  };
  const into = written.length === 0 ? "" : ` → ${written.join(", ")}`;
  say(`front door ${frontdoorId}: ${count("tunnel")}, ${count("share")}${into}`);
  for (const each of notReady) say(`${named(each)} is ${safeText(each.status, 30)}: ${nextUp(each)}`);
  for (const each of leftOut) say(`left out: ${named(each)}: ${each.reason}`);
}

/** Says what the next run does with a resource that is not DEPLOYED. */
function nextUp({ kind, status }: Plan["notReady"][number]): string {
  if (status !== "ERROR") return 'the next "pulumi up" waits for it';
  if (kind === "share") return 'the next "pulumi up" sends it again';
  return 'remove "protect" from it and its shares, and the next "pulumi up" replaces it';
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
