import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Mutation, mutations } from "../chaos/mutations";

const root = join(__dirname, "..", "..");
const copied = ["provider", "emulator", "tests", "package.json", "tsconfig.json"];

/** What a walk says first of the provider with a planted bug; undefined if it finds nothing. */
function violationOf({ patches }: Mutation): string | undefined {
  const folder = mkdtempSync(join(tmpdir(), "frontdoor-mutant-"));
  try {
    for (const name of copied) cpSync(join(root, name), join(folder, name), { recursive: true });
    symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
    for (const { file, from, to } of patches) {
      const path = join(folder, file);
      const text = readFileSync(path, "utf8");
      if (text.split(from).length !== 2) throw new Error(`${file} does not hold this once: ${from}`);
      writeFileSync(
        path,
        text.replace(from, () => to),
      );
    }
    const args = ["-r", "ts-node/register/transpile-only", "tests/prove/main.ts", "--edits", "1", "--first"];
    execFileSync(process.execPath, args, { cwd: folder, encoding: "utf8", stdio: "pipe", maxBuffer: 2 ** 26 });
    return undefined;
  } catch (error) {
    const { stdout } = error as { stdout?: string };
    if (stdout === undefined) throw error;
    const lines = stdout.split("\n");
    const at = lines.findIndex((line) => line.includes("VIOLATION"));
    return at < 0 ? undefined : lines.slice(at, at + 2).join(" ");
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const [, , only = ""] = process.argv;
for (const mutation of mutations.filter(({ name }) => name.includes(only))) {
  const found = violationOf(mutation);
  console.log(`${found === undefined ? "MISSED" : "found "} | ${mutation.name} | ${(found ?? "").slice(0, 300)}`);
}
