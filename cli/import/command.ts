import { type Command, Option } from "commander";
import { shown } from "../../provider/errors";
import { type ConnectionOptions, connectionOf, reading, withConnection } from "../connection";
import { refuseIfThere, writeText } from "../files";
import { addFilter, type Filters } from "../filters";
import { CheckFailed, Misuse } from "../outcome";
import { type KindName, kinds } from "./declared";
import { importFile } from "./file";
import { findAll, kindsFor, type Wanted, wanted } from "./find";
import { type Plan, planOf } from "./plan";
import { type Language, languages, programOf } from "./program";

interface Options extends ConnectionOptions {
  out?: string;
  program?: Language;
  programOut?: string;
  filter?: Filters;
  kind?: Wanted;
  force?: true;
  json?: true;
}

const examples = `
Examples:
  # everything on the front door, with a program that declares it
  frontdoor import --out import.json --program ts --program-out index.ts
  pulumi import --file import.json --generate-code=false --yes
  pulumi preview --expect-no-changes

  # the tunnels and shares of one location, configured as a stack is
  frontdoor import --stack-config Pulumi.prod.yaml --filter locationId=loc-1 --out import.json

  # the shares on two tunnels
  frontdoor import --kind shares --filter ipsecTunnelId=tnl-1 --filter ipsecTunnelId=tnl-2

Exit codes: 0 done, 1 the service refused or something had to be left out, 2 wrong usage, 3 the service could not be reached.`;

/** Adds `import`, which writes what brings the tunnels and shares that exist under Pulumi's management. It changes nothing. */
export function addImport(program: Command): void {
  withConnection(program.command("import"))
    .description(
      "write a file for `pulumi import --file` of all tunnels and shares of a front door, and a program of them",
    )
    .option("--out <file>", "write the import file here instead of to standard output")
    .addOption(new Option("--program <language>", "write a program, too").choices(languages))
    .option("--program-out <file>", "where to write the program: index.ts, __main__.py, Main.yaml")
    .option(
      "--filter <property=value>",
      "only what has this value; may be repeated, equal properties for any of the values",
      addFilter,
    )
    .addOption(new Option("--kind <kind>", "only these").choices(wanted))
    .option("--force", "overwrite files that are there")
    .option("--json", "print one JSON document that says what was found, left out and written")
    .addHelpText("after", examples)
    .action(writeImport);
}

async function writeImport(options: Options): Promise<void> {
  const { out, program, programOut, filter = {}, kind, force: isForced = false, json: isJson = false } = options;
  if ((program === undefined) !== (programOut === undefined))
    throw new Misuse("--program and --program-out go together: which language, and which file");
  if (out !== undefined && out === programOut) throw new Misuse("--out and --program-out name the same file");
  for (const path of [out, programOut]) if (path !== undefined) refuseIfThere(path, isForced);
  const kindsWanted = kindsFor(filter, kind);

  const { config, frontdoorId, isConfigured } = await connectionOf(options, process.env);
  const { tunnels, shares } = await reading(config, (reads) => findAll(reads, frontdoorId, filter, kindsWanted));
  const plan = planOf(tunnels, shares, isConfigured ? undefined : frontdoorId);

  const file = importFile(plan.declared);
  const fileText = `${JSON.stringify(file, undefined, 2)}\n`;
  if (out !== undefined) writeText(out, fileText, isForced);
  if (program && programOut !== undefined) writeText(programOut, programOf(program, plan.declared), isForced);
  const written = [out, programOut].filter((path) => path !== undefined);
  const { leftOut, notReady } = plan;
  if (isJson) print(`${JSON.stringify({ frontdoorId, import: file, leftOut, notReady, written }, undefined, 2)}\n`);
  else if (out === undefined) print(fileText);
  tell(plan, frontdoorId, written);
  if (leftOut.length > 0) throw new CheckFailed(`${leftOut.length} left out, as said above; all others are there`);
}

const print = (text: string) => process.stdout.write(text);

/** For the eyes: standard output is for what reads on. */
function tell({ declared, leftOut, notReady }: Plan, frontdoorId: string, written: string[]): void {
  const say = (line: string) => process.stderr.write(`${line}\n`);
  const named = ({ kind, name, id }: { kind: KindName; name: string; id: string }) =>
    `${kinds[kind].label} "${shown(name, 80)}" (${id})`;
  const count = (kind: KindName) => {
    const number = declared.filter((each) => each.kind === kind).length;
    return `${number} ${kinds[kind].label}${number === 1 ? "" : "s"}`;
  };
  const into = written.length === 0 ? "" : ` → ${written.join(", ")}`;
  say(`front door ${frontdoorId}: ${count("tunnel")}, ${count("share")}${into}`);
  for (const each of notReady) say(`${named(each)} is ${shown(each.status, 30)}: ${nextUp(each)}`);
  for (const each of leftOut) say(`left out: ${named(each)}: ${each.reason}`);
}

/** What the provider does for what is not DEPLOYED. */
function nextUp({ kind, status }: Plan["notReady"][number]): string {
  if (status !== "ERROR") return 'the next "pulumi up" waits for it';
  return `the next "pulumi up" ${kind === "tunnel" ? "replaces it" : "sends it once more"}`;
}
