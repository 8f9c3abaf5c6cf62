import { build, type Plugin } from "esbuild";
import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { type Patch, type Planted, planted } from "./planted";

export interface Found {
  edits: number;
  seconds: number;
  violation: string;
}

/** Walks until the first violation. Returns undefined if there is none. */
async function walk(bundle: string, edits: number, only: string): Promise<string | undefined> {
  const withoutPairs = only.startsWith("ordinary") ? [] : ["--pairs", "0"];
  const args = [bundle, "--first", "--edits", String(edits), "--only", only, ...withoutPairs];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  let text = "";
  child.stdout.on("data", (piece: Buffer) => (text += piece.toString()));
  const code = await new Promise((resolve) => child.once("close", resolve));
  const lines = text.split("\n");
  const at = lines.findIndex((line) => line.includes("VIOLATION"));
  if (at >= 0) return lines.slice(at, at + 2).join(" ");
  if (!text.includes(" violations, ")) throw new Error(`the walk ended with ${String(code)}: ${text}`);
  return undefined;
}

/** Plants a bug and walks until it is found. Walks of few edits come first. */
export async function find(
  root: string,
  { patches, only = "" }: Planted,
  [least, most]: readonly [least: number, most: number],
): Promise<Found | undefined> {
  const begunMs = performance.now();
  // From there, the emulator finds the files of its page. A walk that a test has given up can still run from its own bundle.
  const bundle = join(root, "dist", `planted-${randomUUID()}.cjs`);
  await bundlePlanted(root, patches, bundle);
  try {
    for (let edits = least; edits <= most; edits++) {
      const violation = await walk(bundle, edits, only);
      if (violation) return { edits, violation, seconds: Math.round((performance.now() - begunMs) / 1000) };
    }
    return undefined;
  } finally {
    rmSync(bundle);
  }
}

/** Tries each planted bug whose name contains the text. */
export async function tryPlanted(root: string, only: string, mostEdits: number): Promise<number> {
  let missed = 0;
  for (const each of planted.filter(({ name }) => name.includes(only))) {
    const found = await find(root, each, [0, mostEdits]);
    if (!found) missed += 1;
    const row = found ? ["found", `${found.edits} edits`, `${found.seconds} s`] : ["MISSED", "", ""];
    console.log([...row, each.name, found?.violation.slice(0, 300) ?? ""].join(" | "));
  }
  return missed;
}

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
