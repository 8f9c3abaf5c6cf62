import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { buildSync } from "esbuild";

/** The command, the package's main file, and what Temporal or a worker loads by its path. */
const entries = ["main", "fleet", "workflows", "failure-converter", "watchdog"];

/** Bundles the fleet's own code into a folder, with the provider's redactor. Packages stay outside. */
export function build(outdir: string): void {
  buildSync({
    entryPoints: entries.map((name) => join(__dirname, "src", `${name}.ts`)),
    outdir,
    bundle: true,
    packages: "external",
    platform: "node",
    target: "node22",
    // Temporal starts a workflow by the name of its function.
    keepNames: true,
    logLevel: "warning",
  });
}

/** Builds the fleet in a folder elsewhere, which gets the checkout's packages. @returns the path of its command */
export function buildIn(folder: string): string {
  symlinkSync(join(__dirname, "..", "node_modules"), join(folder, "node_modules"));
  build(join(folder, "fleet"));
  return join(folder, "fleet", "main.js");
}

if (require.main === module) build(join(__dirname, "dist"));
