import { createHash } from "node:crypto";
import { copyFileSync, existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { cacheDir, root, run, SetUpError, step } from "./environment.mjs";
import { publish, withLock, workDir } from "./lock.mjs";

/** What is built from Go modules when something first needs it, besides the engine: recipes in scripts/ of the same names. */
const tools = {
  sdks: { title: "Pulumi's SDK generators (a minute)", command: "." },
  temporal: {
    title: "Temporal's development server (two to five minutes)",
    command: "github.com/temporalio/cli/cmd/temporal",
  },
  "language-yaml": {
    title: "the YAML language host (a minute)",
    command: "github.com/pulumi/pulumi-yaml/cmd/pulumi-language-yaml",
  },
  "language-python": {
    title: "the Python language host (half a minute)",
    command: "github.com/pulumi/pulumi/sdk/v3/python/cmd/pulumi-language-python",
    // The program that it starts, a script beside its sources.
    beside: { module: "github.com/pulumi/pulumi/sdk/v3", path: "python/cmd/pulumi-language-python-exec" },
  },
};

/** The folder of a tool's executable, built once for this user and version. @throws SetUpError where Go is missing or fails */
export async function goTool(name) {
  const { title, command, beside } = tools[name];
  const into = join(cacheDir(), `${name}-${process.platform}-${process.arch}-${recipeId(name)}`);
  if (existsSync(into)) return into;
  return withLock(join(cacheDir(), `${name}.lock`), async () => {
    if (existsSync(into)) return into;
    await needGo();
    const work = workDir(into);
    try {
      await step(`Building ${title} from Go modules`, () => goBuild({ module: name, command, into: work }));
      if (beside) {
        const folder = await go(name, ["list", "-m", "-f", "{{.Dir}}", beside.module]);
        copyFileSync(join(folder.trim(), beside.path), join(work, beside.path.split("/").at(-1)));
      }
      publish(work, into);
    } finally {
      rmSync(work, { recursive: true, force: true });
    }
    return into;
  });
}

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
