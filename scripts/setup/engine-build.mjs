import { cpSync, rmSync } from "node:fs";
import { goBuild, needGo, recipe, recipeId } from "./go-build.mjs";
import { publish, workDir } from "./publish.mjs";
import { step } from "./progress.mjs";

/** Changes with what the engine's build is made from. */
export const engineRecipeId = () => recipeId("engine", "language-host", "engine-shims");

/**
 * Builds engine and language host from Go modules, pinned and verified by the go.sum files beside their go.mod. The shims
 * go beside the engine: found anywhere else on PATH, the engine warns of them on every run.
 */
export async function buildEngine({ version, into }) {
  await needGo();
  const work = workDir(into);
  const flags = `-s -w -X github.com/pulumi/pulumi/sdk/v3/go/common/version.Version=v${version}`;
  try {
    await step("Building the Node.js language host from Go modules (half a minute)", () =>
      goBuild({
        module: "language-host",
        command: "github.com/pulumi/pulumi/sdk/v3/nodejs/cmd/pulumi-language-nodejs",
        ...{ flags, into: work },
      }),
    );
    await step(`Building the Pulumi engine ${version} from Go modules (two to five minutes)`, () =>
      goBuild({ module: "engine", command: "github.com/pulumi/pulumi/pkg/v3/cmd/pulumi", flags, into: work }),
    );
    cpSync(recipe("engine-shims"), work, { recursive: true });
    publish(work, into);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}
