import { quickstart } from "./quickstart.mjs";
import { runMain } from "./setup/progress.mjs";

/** These reach the service, so the emulator has to run meanwhile. */
const withService = ["up", "update", "preview", "pre", "refresh", "destroy", "down", "dn", "import", "watch"];

const args = process.argv.slice(2);
await runMain(() =>
  quickstart((pulumi) => pulumi(args, { asks: true }), { emulator: args.some((arg) => withService.includes(arg)) }),
);
