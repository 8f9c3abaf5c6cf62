import { emulatorCommand, stopInOrder } from "./quickstart.mjs";
import { setUp, setUpDependencies } from "./setup.mjs";
import { root, runMain } from "./setup/environment.mjs";

const fromSource =
  (...file) =>
  () => ["-r", "ts-node/register/transpile-only", ...file];

/** The programs of `npm run <name>`. Those with `onEngine` need Pulumi's engine. */
const programs = {
  bench: { onEngine: true, command: fromSource("bench/bench.ts") },
  chaos: { onEngine: true, command: fromSource("tests/prove/main.ts", "random") },
  record: { onEngine: true, command: fromSource("tests/recorded/records.ts") },
  emulator: { command: () => emulatorCommand },
  screenshots: { command: fromSource("scripts/screenshots.ts") },
  prove: { command: fromSource("tests/prove/main.ts") },
};

const [name, ...args] = process.argv.slice(2);

await runMain(async () => {
  const { onEngine, command } = programs[name];
  const { env } = onEngine ? await setUp({ quiet: true }) : await setUpDependencies();
  return stopInOrder().run("node", [...(await command()), ...args], { cwd: root, env });
});
