import { existsSync, readFileSync, realpathSync, statSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import * as z from "zod";

/** A plugin that the engine can find. */
export interface Plugin {
  version: string;
  where: string;
  isOnPath: boolean;
}

const name = "pulumi-resource-frontdoor";
const installed = z.array(z.object({ name: z.string(), kind: z.string(), version: z.string() }));
const schemaFile = z.object({ version: z.string() });

/** Returns the plugins that the engine can find. The plugin on PATH comes first, as for the engine. */
export async function pluginsHere(
  said: (command: string, args: string[]) => Promise<string | undefined>,
): Promise<Plugin[]> {
  const listed = installed.safeParse(parsed(await said("pulumi", ["plugin", "ls", "--json"])));
  const ours = (listed.data ?? []).filter((each) => each.name === "frontdoor" && each.kind === "resource");
  return [...onPath(), ...ours.map(({ version }) => ({ version, where: "installed by pulumi", isOnPath: false }))];
}

function onPath(): Plugin[] {
  const folders = (process.env["PATH"] ?? "").split(delimiter).filter((folder) => folder !== "");
  const names = [name, `${name}.cmd`, `${name}.exe`];
  const file = folders
    .flatMap((folder) => names.map((each) => join(folder, each)))
    .find((path) => statSync(path, { throwIfNoEntry: false })?.isFile());
  if (file === undefined) return [];
  return [{ version: versionOf(file), where: `on PATH (${file})`, isOnPath: true }];
}

/** Returns the version in the schema beside the plugin. For pnpm, and npm on Windows, the schema is in the package, because the file is a script. */
function versionOf(file: string): string {
  const beside = dirname(realpathSync(file));
  const ofPackage = join(dirname(file), "..", "pulumi-frontdoor", "dist", "plugin");
  const schema = [beside, ofPackage].map((folder) => join(folder, "schema.json")).find((path) => existsSync(path));
  try {
    return schemaFile.parse(JSON.parse(readFileSync(schema ?? "", "utf8"))).version;
  } catch {
    return "of an unknown version";
  }
}

function parsed(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? "");
  } catch {
    return undefined;
  }
}
