import { stopInOrder } from "./foreground.mjs";
import { setUpDependencies } from "./setup.mjs";
import { root } from "./setup/places.mjs";
import { runMain } from "./setup/progress.mjs";

await runMain(async () => {
  const { env } = await setUpDependencies();
  const args = ["-r", "ts-node/register/transpile-only", "bench/browser/screenshots.ts"];
  return stopInOrder().run("node", args, { cwd: root, env });
});
