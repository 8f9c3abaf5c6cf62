import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { root } from "./folder";

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
