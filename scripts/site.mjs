import { cpSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setUpDependencies } from "./setup.mjs";
import { inState, root } from "./setup/places.mjs";
import { run, runMain } from "./setup/progress.mjs";

/** Packages of the generator's own, which nothing else needs, and the pages below them: only there does it find them. */
const folder = inState("site");
/** The pages of Pulumi's registry are for its own generator. */
const isShown = (path) => path !== join(root, "docs/registry");

// Builds the static site of README.md and docs/ in site/.
await runMain(async () => {
  const { env } = await setUpDependencies();
  rmSync(join(folder, "pages"), { recursive: true, force: true });
  cpSync(join(root, "scripts/site"), folder, { recursive: true });
  for (const name of ["README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "docs"])
    cpSync(join(root, name), join(folder, "pages", name), { recursive: true, filter: isShown });
  // The generator takes along what a page shows, but not what it links to.
  cpSync(join(root, "docs/images"), join(folder, "pages/public/docs/images"), { recursive: true });
  // Without a lock: not every mirror has the packages of all platforms that one would name.
  await run("npm", ["install", "--no-package-lock", "--no-audit", "--no-fund"], { cwd: folder, env });
  await run(process.execPath, ["node_modules/vitepress/bin/vitepress.js", "build", "."], { cwd: folder, env });
  console.log(`${join("site", "index.html")} is the site's first page`);
});
