import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { root } from "./folder";

/** What `npm install` would make, without a registry: this package as it is packed, everything else from the repository. */
export function installPacked(folder: string): void {
  const modules = join(folder, "node_modules");
  rmSync(modules, { force: true });
  mkdirSync(modules);
  for (const name of readdirSync(join(root, "node_modules")))
    if (name !== "pulumi-frontdoor") symlinkSync(join(root, "node_modules", name), join(modules, name));
  // Without its scripts: the build is the set-up's, and another test may be reading it.
  const pack = ["pack", "--ignore-scripts", "--loglevel=error", "--pack-destination", folder];
  const tarball = execFileSync("npm", pack, { cwd: root, encoding: "utf8" }).trim().split("\n").at(-1) ?? "";
  execFileSync("tar", ["-xzf", join(folder, tarball), "-C", folder]);
  renameSync(join(folder, "package"), join(modules, "pulumi-frontdoor"));
}
