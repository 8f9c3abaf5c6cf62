import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const root = join(__dirname, "..", "..");
const copied = [
  "provider",
  "sdk",
  "cli",
  "policy",
  "emulator",
  "tests",
  "scripts",
  "package.json",
  "tsconfig.json",
  "tsconfig.build.json",
];

/** A change of the sources: the text that is replaced has to be there exactly once. */
export interface Patch {
  file: string;
  from: string;
  to: string;
}

/** A copy of the sources in a folder of its own, patched and built; it shares what is installed. */
export class Tree {
  private constructor(readonly folder: string) {}

  /** @throws Error where a patch does not fit, or what it makes does not compile. */
  static make(patches: Patch[] = []): Tree {
    const tree = new Tree(mkdtempSync(join(tmpdir(), "frontdoor-tree-")));
    for (const name of copied) cpSync(join(root, name), join(tree.folder, name), { recursive: true });
    cpSync(join(root, "jest.config.mjs"), join(tree.folder, "jest.config.mjs"));
    tree.link();
    for (const patch of patches) tree.apply(patch);
    tree.run(join(root, "node_modules", "typescript", "bin", "tsc"), ["-p", "tsconfig.build.json"]);
    tree.run(join(tree.folder, "scripts", "bundle.mjs"), []);
    return tree;
  }

  /** Runs a script of Node in the copy. @throws Error, with what it printed, where it fails. */
  run(script: string, args: string[], env: NodeJS.ProcessEnv = process.env): string {
    return execFileSync(process.execPath, [script, ...args], {
      cwd: this.folder,
      env,
      encoding: "utf8",
      stdio: "pipe",
      timeout: 600_000,
      maxBuffer: 64 * 1024 * 1024,
    });
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** Everything that is installed, with this copy in place of the package itself. */
  private link(): void {
    const modules = join(this.folder, "node_modules");
    mkdirSync(modules);
    for (const name of readdirSync(join(root, "node_modules"))) {
      if (name === ".cache") continue;
      const own = name === "pulumi-frontdoor";
      symlinkSync(own ? this.folder : join(root, "node_modules", name), join(modules, name));
    }
  }

  private apply({ file, from, to }: Patch): void {
    const path = join(this.folder, file);
    const text = readFileSync(path, "utf8");
    const times = text.split(from).length - 1;
    if (times !== 1) throw new Error(`${file} holds ${times} times, not once: ${from}`);
    writeFileSync(
      path,
      text.replace(from, () => to),
    );
  }
}
