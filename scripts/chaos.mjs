import { stopInOrder } from "./foreground.mjs";
import { setUp } from "./setup.mjs";
import { root } from "./setup/places.mjs";
import { runMain } from "./setup/progress.mjs";

/** `mutants` as the first argument shows that the harness catches planted bugs; else it runs. */
await runMain(async () => {
  const { env } = await setUp({ quiet: true });
  const given = process.argv.slice(2);
  const [entry, args] = given[0] === "mutants" ? ["mutants", given.slice(1)] : ["main", given];
  const command = ["-r", "ts-node/register/transpile-only", `tests/chaos/${entry}.ts`, ...args];
  return stopInOrder().run("node", command, { cwd: root, env });
});
