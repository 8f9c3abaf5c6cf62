import { stopInOrder } from "./foreground.mjs";
import { setUp } from "./setup.mjs";
import { root } from "./setup/places.mjs";
import { runMain } from "./setup/progress.mjs";

await runMain(async () => {
  const { env } = await setUp({ quiet: true });
  const command = ["-r", "ts-node/register/transpile-only", "tests/chaos/main.ts", ...process.argv.slice(2)];
  return stopInOrder().run("node", command, { cwd: root, env });
});
