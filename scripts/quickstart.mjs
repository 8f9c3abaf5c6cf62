import { existsSync } from "node:fs";
import { startEmulator } from "./emulator-process.mjs";
import { stopInOrder } from "./foreground.mjs";
import { setUp } from "./setup.mjs";
import { secretText } from "./setup/environment.mjs";
import { withLock } from "./setup/lock.mjs";
import { inState, root } from "./setup/places.mjs";
import { run } from "./setup/progress.mjs";

const stack = "quickstart";
/** The emulator's own default front door. */
const frontdoorId = "fd-1";

/** Whether the quickstart was ever started in this checkout. */
export const wasStarted = () => existsSync(inState(`Pulumi.${stack}.yaml`));

/**
 * Makes the checkout ready and hands over a `pulumi` that runs with the quickstart's own state, passphrase and stack:
 * its output shown, its exit code given, a `quietly` that gives its output, and the address of the emulator's page. With `emulator`, the quickstart's
 * emulator runs meanwhile and the stack points to it; with `stays` it runs on until Ctrl-C, for other runs, too.
 */
export async function quickstart(work, { emulator: wanted = true, stays = false } = {}) {
  const ready = await setUp({ quiet: true });
  // Without its program, a destroy or refresh takes the configuration of the last `up`: the emulator's port of that time.
  const ours = { FRONTDOOR_STATE_DIR: inState("records"), PULUMI_STACK: stack, PULUMI_RUN_PROGRAM: "true" };
  const env = { ...withoutFrontdoor(ready.env), ...ours };
  const foreground = stopInOrder();
  const pulumi = (args, options = {}) => foreground.run(ready.pulumi, args, { cwd: root, env, ...options });
  const quietly = (args, input) => run(ready.pulumi, ["--non-interactive", ...args], { cwd: root, env, input });

  if (!wanted) return work(pulumi, quietly);
  const inTurn = (run) => withLock(inState("quickstart.lock"), run);
  let emulator;
  const stop = () => emulator?.stop();
  const code = await inTurn(async () => {
    try {
      emulator = await startEmulator(env);
      await quietly(["stack", "select", "--create", stack]);
      const plain = { "frontdoor:baseUrl": emulator.baseUrl, "frontdoor:frontdoorId": frontdoorId };
      await quietly([
        "config",
        "set-all",
        ...Object.entries(plain).flatMap(([key, value]) => ["--plaintext", `${key}=${value}`]),
      ]);
      await quietly(["config", "set", "--secret", "frontdoor:token"], secretText("token"));
      return await work(pulumi, quietly, new URL("/", emulator.baseUrl).href);
    } catch (error) {
      if (stays) await stop();
      throw error;
    } finally {
      if (!stays) await stop();
    }
  });
  if (stays && emulator.isOurs) {
    await foreground.untilStopped;
    await inTurn(stop);
  }
  return code;
}

/** The caller's own service address and credentials must not reach the emulator's stack. */
const withoutFrontdoor = (env) =>
  Object.fromEntries(
    Object.entries(env).filter(([name]) => !name.startsWith("FRONTDOOR_") || name === "FRONTDOOR_CACHE_DIR"),
  );
