import { existsSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { root } from "../harness/folder";

/** Every module that the declarations of an entry point reach, starting from the compiled package. */
export function declarationsReachedFrom(entry: string): { files: string[]; packages: string[] } {
  const files = [join(root, entry)];
  const packages = new Set<string>();
  for (const file of files) {
    for (const [, from = ""] of readFileSync(file, "utf8").matchAll(/(?:from |import\()"([^"]+)"/g)) {
      const next = `${resolve(dirname(file), from)}${existsSync(`${resolve(dirname(file), from)}.d.ts`) ? ".d.ts" : "/index.d.ts"}`;
      if (!from.startsWith(".")) packages.add(from);
      else if (!files.includes(next)) files.push(next);
    }
  }
  return { files, packages: [...packages] };
}
