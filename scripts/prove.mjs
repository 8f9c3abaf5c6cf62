import { stopInOrder } from "./foreground.mjs";
import { setUpDependencies } from "./setup.mjs";
import { root } from "./setup/places.mjs";
import { runMain } from "./setup/progress.mjs";

/** `mutants` as the first argument tries the walk on planted bugs, `relations` plays pairs of histories; else it walks. */
const entries = { mutants: "mutants", relations: "relations-main" };

await runMain(async () => {
  const { env } = await setUpDependencies();
  const given = process.argv.slice(2);
  const [entry, args] = entries[given[0]] ? [entries[given[0]], given.slice(1)] : ["main", given];
  const command = ["-r", "ts-node/register/transpile-only", `tests/prove/${entry}.ts`, ...args];
  return stopInOrder().run("node", command, { cwd: root, env });
});
