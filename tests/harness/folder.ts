import { execFileSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export const root = join(__dirname, "..", "..");

/** The program that makes what `resources.json` beside it says. */
export const ownProgram = join(__dirname, "program.js");

/** A folder of its own for a program, which is a JavaScript file or a whole folder; what is installed here it finds there too. */
export function programFolder(source: string, project: string): string {
  const folder = mkdtempSync(join(tmpdir(), `frontdoor-${project}-`));
  const isFile = statSync(source).isFile();
  cpSync(source, isFile ? join(folder, "index.js") : folder, { recursive: true });
  writeUnlessThere(join(folder, "package.json"), { main: "index.js" });
  writeUnlessThere(join(folder, "Pulumi.yaml"), { name: project, runtime: "nodejs" });
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  mkdirSync(join(folder, "state"));
  return folder;
}

/** JSON, which is YAML too. */
function writeUnlessThere(path: string, content: object): void {
  if (!existsSync(path)) writeFileSync(path, JSON.stringify(content));
}

/** A killed engine's provider may still write there. */
export function removeFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}

/** The package as it is packed, in a folder; of this checkout, or of another one that is built. Gives the tarball's path. */
export function packInto(folder: string, checkout = root): string {
  // Without its scripts: the build is the set-up's, and another test may be reading it.
  const pack = ["pack", "--ignore-scripts", "--loglevel=error", "--pack-destination", folder];
  const name = execFileSync("npm", pack, { cwd: checkout, encoding: "utf8" }).trim().split("\n").at(-1) ?? "";
  return join(folder, name);
}

/** What `npm install` would make, without a registry: the package as it is packed, everything else from the repository. */
export function installPacked(folder: string, checkout = root): void {
  const modules = join(folder, "node_modules");
  rmSync(modules, { force: true });
  mkdirSync(modules);
  for (const name of readdirSync(join(root, "node_modules")))
    if (name !== "pulumi-frontdoor") symlinkSync(join(root, "node_modules", name), join(modules, name));
  execFileSync("tar", ["-xzf", packInto(folder, checkout), "-C", folder]);
  renameSync(join(folder, "package"), join(modules, "pulumi-frontdoor"));
}
