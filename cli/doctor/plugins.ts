import { readFileSync, realpathSync, statSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import * as z from "zod";

interface Plugin {
  version: string;
  where: string;
}

const name = "pulumi-resource-frontdoor";
const installed = z.array(z.object({ name: z.string(), kind: z.string(), version: z.string() }));
const schemaFile = z.object({ version: z.string() });

/** The plugins that the engine can find: the one on PATH, which it takes first, and those that are installed. */
export async function pluginsHere(
  said: (command: string, args: string[]) => Promise<string | undefined>,
): Promise<Plugin[]> {
  const listed = installed.safeParse(parsed(await said("pulumi", ["plugin", "ls", "--json"])));
  const ours = (listed.data ?? []).filter((each) => each.name === "frontdoor" && each.kind === "resource");
  return [...onPath(), ...ours.map(({ version }) => ({ version, where: "installed by pulumi" }))];
}

/** Its schema, which lies beside it, says its version. */
function onPath(): Plugin[] {
  const folders = (process.env["PATH"] ?? "").split(delimiter).filter((folder) => folder !== "");
  const names = [name, `${name}.cmd`, `${name}.exe`];
  const file = folders
    .flatMap((folder) => names.map((each) => join(folder, each)))
    .find((path) => statSync(path, { throwIfNoEntry: false })?.isFile());
  if (file === undefined) return [];
  return [{ version: versionIn(dirname(realpathSync(file))), where: `on PATH (${file})` }];
}

function versionIn(folder: string): string {
  try {
    return schemaFile.parse(JSON.parse(readFileSync(join(folder, "schema.json"), "utf8"))).version;
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
