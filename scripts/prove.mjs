import { join } from "node:path";
import { build } from "esbuild";
import { stopInOrder } from "./foreground.mjs";
import { setUpDependencies } from "./setup.mjs";
import { root } from "./setup/places.mjs";
import { runMain } from "./setup/progress.mjs";

/** Walks as a bundle, which starts faster than the sources; with `relations` as the first argument it plays pairs of histories. */
await runMain(async () => {
  const { env } = await setUpDependencies();
  const given = process.argv.slice(2);
  const [entry, args] = given[0] === "relations" ? ["relations-main", given.slice(1)] : ["main", given];
  const outfile = join(root, "node_modules", ".cache", `prove-${entry}.cjs`);
  const entryPoints = [join(root, "tests", "prove", `${entry}.ts`)];
  await build({ entryPoints, outfile, bundle: true, platform: "node", packages: "external", logLevel: "warning" });
  return stopInOrder().run("node", [outfile, ...args], { cwd: root, env });
});
