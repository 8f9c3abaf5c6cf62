import { copyFileSync, existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { go, goBuild, needGo, recipeId } from "./go-build.mjs";
import { withLock } from "./lock.mjs";
import { cacheDir } from "./places.mjs";
import { publish, workDir } from "./publish.mjs";
import { step } from "./progress.mjs";

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
