import { stopInOrder } from "./foreground.mjs";
import { setUp } from "./setup.mjs";
import { root } from "./setup/places.mjs";
import { runMain } from "./setup/progress.mjs";

/** Random histories on Pulumi, or in virtual time. */
await runMain(async () => {
  const { env } = await setUp({ quiet: true });
  const command = ["-r", "ts-node/register/transpile-only", "tests/prove/chaos.ts", ...process.argv.slice(2)];
  return stopInOrder().run("node", command, { cwd: root, env });
});
