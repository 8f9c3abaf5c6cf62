import { spawn } from "node:child_process";
import { Copy } from "./copy";
import { type Planted, planted } from "./planted";

interface Found {
  edits: number;
  seconds: number;
  violation: string;
}

/** Walks until the first violation; undefined if there is none. */
async function walk(bundle: string, edits: number): Promise<string | undefined> {
  const args = [bundle, "--first", "--edits", String(edits)];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  let text = "";
  child.stdout.on("data", (piece: Buffer) => (text += piece.toString()));
  const code = await new Promise((resolve) => child.once("close", resolve));
  const lines = text.split("\n");
  const at = lines.findIndex((line) => line.includes("VIOLATION"));
  if (at >= 0) return lines.slice(at, at + 2).join(" ");
  if (!lines.some((line) => / rare states, /.test(line)))
    throw new Error(`the walk ended with ${String(code)}: ${text}`);
  return undefined;
}

async function find(copy: Copy, { patches }: Planted, mostEdits: number): Promise<Found | undefined> {
  const begunMs = performance.now();
  copy.plant(patches);
  try {
    const bundle = copy.bundle("tests/prove/main.ts");
    for (let edits = 1; edits <= mostEdits; edits++) {
      const violation = await walk(bundle, edits);
      if (violation) return { edits, violation, seconds: Math.round((performance.now() - begunMs) / 1000) };
    }
    return undefined;
  } finally {
    copy.restore(patches);
  }
}

/** Arguments: a part of the names of the planted bugs to try, and the most edits of a walk. */
async function main(): Promise<void> {
  const [, , only = "", mostEdits = "2"] = process.argv;
  const copy = new Copy(process.cwd());
  let missed = 0;
  try {
    for (const each of planted.filter(({ name }) => name.includes(only))) {
      const found = await find(copy, each, Number(mostEdits));
      if (!found) missed += 1;
      const row = found ? ["found", `${found.edits} edits`, `${found.seconds} s`] : ["MISSED", "", ""];
      console.log([...row, each.name, found?.violation.slice(0, 300) ?? ""].join(" | "));
    }
  } finally {
    copy.remove();
  }
  process.exitCode = missed > 0 ? 1 : 0;
}

void main();
