import { readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import * as z from "zod";

const packageFile = z.object({ version: z.string() });

/**
 * Returns the version of the package in the nearest `node_modules`, undefined if there is none. Reads only text: code in the user's
 * folder must not run, because this process holds the token.
 */
export function packageVersionHere(folder = process.cwd()): string | undefined {
  const version = versionIn(join(folder, "node_modules", "pulumi-frontdoor", "package.json"));
  const parent = dirname(folder);
  return version ?? (parent === folder ? undefined : packageVersionHere(parent));
}

function versionIn(path: string): string | undefined {
  try {
    // Reading a pipe could wait forever.
    return statSync(path).isFile() ? packageFile.parse(JSON.parse(readFileSync(path, "utf8"))).version : undefined;
  } catch {
    return undefined;
  }
}
