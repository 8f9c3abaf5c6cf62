import { spawn } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { bundlePlanted } from "./bundle-planted";
import { type Planted, planted } from "./planted";

export interface Found {
  edits: number;
  seconds: number;
  violation: string;
}

/** Walks until the first violation. Returns undefined if there is none. */
async function walk(bundle: string, edits: number, only: string, pairs = "0"): Promise<string | undefined> {
  const args = [bundle, "--first", "--edits", String(edits), "--only", only, "--pairs", pairs];
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
  { patches, only = "", pairs }: Planted,
  [least, most]: readonly [least: number, most: number],
): Promise<Found | undefined> {
  const begunMs = performance.now();
  const bundle = join(root, "node_modules", ".cache", `planted-${process.pid}.cjs`);
  await bundlePlanted(root, patches, bundle);
  try {
    for (let edits = least; edits <= most; edits++) {
      const violation = await walk(bundle, edits, only, pairs);
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
    if (each.shownBy !== undefined) {
      console.log(`shown by ${each.shownBy} | ${each.name}`);
      continue;
    }
    const found = await find(root, each, [0, mostEdits]);
    if (!found) missed += 1;
    const row = found ? ["found", `${found.edits} edits`, `${found.seconds} s`] : ["MISSED", "", ""];
    console.log([...row, each.name, found?.violation.slice(0, 300) ?? ""].join(" | "));
  }
  return missed;
}
