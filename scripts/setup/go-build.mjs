import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./places.mjs";
import { run, SetUpError } from "./progress.mjs";

/** A folder of scripts/ with what is built from Go modules: go.mod and go.sum, and sources where it has its own. */
export const recipe = (name) => join(root, "scripts", name);

/** Changes with what a build is made from, so that a build from older sources is not taken from the cache. */
export function recipeId(...folders) {
  const hash = createHash("sha256");
  for (const folder of folders) {
    for (const name of readdirSync(recipe(folder)).sort())
      hash.update(name).update(readFileSync(join(recipe(folder), name)));
  }
  return hash.digest("hex").slice(0, 8);
}

/** The caller's, but for what would change the kind of a build; proxy and checksum database stay as the user has them. */
function goEnvironment() {
  const env = { ...process.env, CGO_ENABLED: "0", GO111MODULE: "on", GOWORK: "off", GOFLAGS: "-mod=readonly" };
  delete env.GOOS;
  delete env.GOARCH;
  return env;
}

/** Runs go on a recipe and gives what it printed. */
export const go = (module, args) => run("go", args, { cwd: recipe(module), env: goEnvironment() });

/** Builds a command, pinned and verified by the go.sum beside the recipe's go.mod, into a folder. @throws SetUpError */
export const goBuild = ({ module, command, flags = "-s -w", into }) =>
  go(module, ["build", "-trimpath", "-buildvcs=false", "-ldflags", flags, "-o", `${into}/`, command]);

/** @throws SetUpError where there is none */
export async function needGo() {
  await run("go", ["version"]).catch(() => {
    throw new SetUpError("no Go on PATH");
  });
}
