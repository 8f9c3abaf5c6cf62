import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildSync } from "esbuild";
import type { Patch } from "./planted";

const copied = ["provider", "emulator", "tests", "package.json", "tsconfig.json"];

/** A copy of the sources in a folder of its own, to be patched. It shares the installed packages. */
export class Copy {
  readonly folder = mkdtempSync(join(tmpdir(), "frontdoor-planted-"));

  constructor(private readonly root: string) {
    for (const name of copied) cpSync(join(root, name), join(this.folder, name), { recursive: true });
    symlinkSync(join(root, "node_modules"), join(this.folder, "node_modules"));
  }

  /** Bundles a program of the copy, and returns its file. */
  bundle(entry: string): string {
    const outfile = join(this.folder, "bundle.cjs");
    const entryPoints = [join(this.folder, entry)];
    buildSync({ entryPoints, outfile, bundle: true, platform: "node", packages: "external", logLevel: "warning" });
    return outfile;
  }

  /** @throws Error if the text that a patch replaces is not there exactly once. */
  plant(patches: readonly Patch[]): void {
    for (const patch of patches) {
      const path = join(this.folder, patch.file);
      writeFileSync(path, patched(readFileSync(path, "utf8"), patch));
    }
  }

  /** Takes the patches out again. */
  restore(patches: readonly Patch[]): void {
    for (const { file } of patches) cpSync(join(this.root, file), join(this.folder, file));
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** @throws Error if the text that the patch replaces is not there exactly once. */
export function patched(text: string, { file, from, to }: Patch): string {
  const times = text.split(from).length - 1;
  if (times !== 1) throw new Error(`${file} holds ${times} times, not once: ${from}`);
  return text.replace(from, () => to);
}
