import { join } from "node:path";
import { build } from "esbuild";
import { stopInOrder } from "./foreground.mjs";
import { setUpDependencies } from "./setup.mjs";
import { root } from "./setup/places.mjs";
import { runMain } from "./setup/progress.mjs";

/** `--planted` as the first argument tries the walk on planted bugs; else it walks. */
await runMain(async () => {
  const { env } = await setUpDependencies();
  const [first, ...rest] = process.argv.slice(2);
  const isPlanted = first === "--planted";
  const outfile = join(root, "node_modules", ".cache", "prove.cjs");
  const entryPoints = [join(root, "tests", "prove", isPlanted ? "try-planted.ts" : "main.ts")];
  await build({ entryPoints, outfile, bundle: true, platform: "node", packages: "external", logLevel: "warning" });
  const command = [outfile, ...(isPlanted ? rest : process.argv.slice(2))];
  return stopInOrder().run("node", command, { cwd: root, env });
});
