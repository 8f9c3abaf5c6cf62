import { readFileSync } from "node:fs";
import { join } from "node:path";
import { build, type Plugin } from "esbuild";
import type { Patch } from "./planted";

/** Applies a patch. @throws Error if its text is not in the file exactly once. */
function patched(text: string, { file, from, to }: Patch): string {
  const times = text.split(from).length - 1;
  if (times !== 1) throw new Error(`${file} holds ${times} times, not once: ${from}`);
  return text.replace(from, () => to);
}

const planting = (root: string, patches: readonly Patch[]): Plugin => ({
  name: "planting",
  setup: (building) => {
    building.onLoad({ filter: /\.ts$/ }, ({ path }) => {
      const own = patches.filter(({ file }) => join(root, file) === path);
      return own.length > 0 ? { contents: own.reduce(patched, readFileSync(path, "utf8")), loader: "ts" } : undefined;
    });
  },
});

/** Bundles `npm run prove` with a planted bug into a file of its own; no source is changed. */
export async function bundlePlanted(root: string, patches: readonly Patch[], outfile: string): Promise<void> {
  for (const patch of patches) patched(readFileSync(join(root, patch.file), "utf8"), patch);
  await build({
    ...{ entryPoints: [join(root, "tests/prove/main.ts")], outfile, plugins: [planting(root, patches)] },
    ...{ bundle: true, platform: "node", packages: "external", logLevel: "warning" },
  });
}
