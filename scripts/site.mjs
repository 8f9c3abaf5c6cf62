import { cpSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setUpDependencies } from "./setup.mjs";
import { inState, root, run, runMain } from "./setup/environment.mjs";

/** The generator's packages, and a copy of the pages below them, where the generator finds the packages. */
const folder = inState("site");
/** The pages of Pulumi's registry are for its own generator. */
const isShown = (path) => path !== join(root, "docs/registry");

// Builds the static site of README.md and docs/ in site/.
await runMain(async () => {
  const { env } = await setUpDependencies();
  rmSync(join(folder, "pages"), { recursive: true, force: true });
  cpSync(join(root, "scripts/site"), folder, { recursive: true });
  for (const name of [
    "README.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "SECURITY.md",
    "AGENTS.md",
    "docs",
    "examples/README.md",
    "examples/sites-from-csv/README.md",
    "examples/policy-violations/README.md",
    "fleet/README.md",
    "fleet/docs",
  ])
    cpSync(join(root, name), join(folder, "pages", name), { recursive: true, filter: isShown });
  // The generator copies images that a page shows, but not those that it only links to.
  cpSync(join(root, "docs/images"), join(folder, "pages/public/docs/images"), { recursive: true });
  // Without a lock file, because not every mirror has the packages of all platforms.
  await run("npm", ["install", "--no-package-lock", "--no-audit", "--no-fund"], { cwd: folder, env });
  await run(process.execPath, ["node_modules/vitepress/bin/vitepress.js", "build", "."], { cwd: folder, env });
  console.log(`${join("site", "index.html")} is the site's first page`);
});
