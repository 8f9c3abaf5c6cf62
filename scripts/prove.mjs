import { stopInOrder } from "./foreground.mjs";
import { setUpDependencies } from "./setup.mjs";
import { root } from "./setup/places.mjs";
import { runMain } from "./setup/progress.mjs";

/** `--planted` as the first argument tries the walk on planted bugs; else it walks. */
await runMain(async () => {
  const { env } = await setUpDependencies();
  const given = process.argv.slice(2);
  const [entry, args] = given[0] === "--planted" ? ["try-planted", given.slice(1)] : ["main", given];
  const command = ["-r", "ts-node/register/transpile-only", `tests/prove/${entry}.ts`, ...args];
  return stopInOrder().run("node", command, { cwd: root, env });
});
