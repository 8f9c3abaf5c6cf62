import { emulatorCommand } from "./emulator-process.mjs";
import { stopInOrder } from "./foreground.mjs";
import { setUpDependencies } from "./setup.mjs";
import { root } from "./setup/places.mjs";
import { runMain } from "./setup/progress.mjs";

await runMain(async () => {
  const { env } = await setUpDependencies();
  return stopInOrder().run("node", [...emulatorCommand, ...process.argv.slice(2)], {
    cwd: root,
    env,
  });
});
