import { createHash } from "node:crypto";
import { cpSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { root } from "./places.mjs";
import { publish, workDir } from "./publish.mjs";
import { run, SetUpError, step } from "./progress.mjs";

const recipe = (name) => join(root, "scripts", name);

/** Changes with what the build is made from, so that a build from older sources is not taken from the cache. */
export function recipeId() {
  const hash = createHash("sha256");
  for (const folder of ["engine", "language-host", "engine-shims"]) {
    for (const name of readdirSync(recipe(folder)).sort())
      hash.update(name).update(readFileSync(join(recipe(folder), name)));
  }
  return hash.digest("hex").slice(0, 8);
}

/**
 * Builds engine and language host from Go modules, pinned and verified by the go.sum files beside their go.mod. The shims
 * go beside the engine: found anywhere else on PATH, the engine warns of them on every run.
 */
export async function buildEngine({ version, into }) {
  await run("go", ["version"]).catch(() => {
    throw new SetUpError("no Go on PATH");
  });
  const work = workDir(into);
  try {
    await step("Building the Node.js language host from Go modules (half a minute)", () =>
      goBuild({
        module: "language-host",
        command: "github.com/pulumi/pulumi/sdk/v3/nodejs/cmd/pulumi-language-nodejs",
        version,
        work,
      }),
    );
    await step(`Building the Pulumi engine ${version} from Go modules (two to five minutes)`, () =>
      goBuild({ module: "engine", command: "github.com/pulumi/pulumi/pkg/v3/cmd/pulumi", version, work }),
    );
    cpSync(recipe("engine-shims"), work, { recursive: true });
    publish(work, into);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** Proxy and checksum database stay as the user has them; what would change the build's kind does not. */
function goBuild({ module, command, version, work }) {
  const env = { ...process.env, CGO_ENABLED: "0", GO111MODULE: "on", GOWORK: "off", GOFLAGS: "-mod=readonly" };
  delete env.GOOS;
  delete env.GOARCH;
  const flags = `-s -w -X github.com/pulumi/pulumi/sdk/v3/go/common/version.Version=v${version}`;
  const args = ["build", "-trimpath", "-buildvcs=false", "-ldflags", flags, "-o", `${work}/`, command];
  return run("go", args, { cwd: recipe(module), env });
}
