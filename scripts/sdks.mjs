import { cpSync, mkdirSync, readdirSync, renameSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { go, goTool } from "./setup/engine.mjs";
import { root, run, runMain, step } from "./setup/environment.mjs";

// The SDKs of other languages, made from the plugin's schema by Pulumi's own generators into sdks/, or into the folder that is named.
// They are no part of the repository: the schema and the generators' versions are, and give the same text on every machine.

/** The release that the generated Go code is written for. */
const goSdk = "github.com/pulumi/pulumi/sdk/v3";

async function makeSdks(into) {
  const tool = join(await goTool("sdks"), "sdks");
  const fresh = `${into}.${process.pid}`;
  rmSync(fresh, { recursive: true, force: true });
  try {
    await run(tool, [join(root, "provider", "plugin", "schema.json"), fresh]);
    for (const language of readdirSync(fresh)) cpSync(join(root, "LICENSE"), join(fresh, language, "LICENSE"));
    await step("Finding the modules of the Go SDK", () => completeGo(join(fresh, "go")));
    mkdirSync(into, { recursive: true });
    rmSync(into, { recursive: true });
    renameSync(fresh, into);
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
  return into;
}

/** The generator names a Pulumi SDK that is too old for what it writes, and no sums. */
async function completeGo(cwd) {
  const version = (await go("sdks", ["list", "-m", "-f", "{{.Version}}", goSdk])).trim();
  const env = { ...process.env, GOWORK: "off", GOFLAGS: "-mod=mod" };
  await run("go", ["mod", "edit", `-require=${goSdk}@${version}`], { cwd, env });
  await run("go", ["mod", "tidy"], { cwd, env });
}

await runMain(async () => {
  const into = resolve(process.argv[2] ?? join(root, "sdks"));
  console.log(`${await makeSdks(into)}: ${readdirSync(into).join(", ")}`);
});
