import { stopInOrder } from "./foreground.mjs";
import { setUp } from "./setup.mjs";
import { root } from "./setup/places.mjs";
import { runMain } from "./setup/progress.mjs";

await runMain(async () => {
  const { env } = await setUp({ quiet: true });
  const args = ["-r", "ts-node/register/transpile-only", "bench/recorded/main.ts", ...process.argv.slice(2)];
  return stopInOrder().run("node", args, { cwd: root, env });
});
