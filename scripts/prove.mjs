import { join } from "node:path";
import { build } from "esbuild";
import { stopInOrder } from "./foreground.mjs";
import { setUpDependencies } from "./setup.mjs";
import { root } from "./setup/places.mjs";
import { runMain } from "./setup/progress.mjs";

/** Walks as a bundle, which starts faster than the sources. */
await runMain(async () => {
  const { env } = await setUpDependencies();
  const outfile = join(root, "node_modules", ".cache", "prove.cjs");
  const entryPoints = [join(root, "tests", "prove", "main.ts")];
  await build({ entryPoints, outfile, bundle: true, platform: "node", packages: "external", logLevel: "warning" });
  return stopInOrder().run("node", [outfile, ...process.argv.slice(2)], { cwd: root, env });
});
