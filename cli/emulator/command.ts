import type { Command } from "commander";
import { withCode } from "../../provider/errors";
import { CheckFailed, Misuse } from "../outcome";
import { part } from "../part";

interface EmulatorModule {
  runEmulator: (args: string[]) => Promise<void>;
}

/** Adds `emulator`, which parses its own arguments and prints its own help. */
export function addEmulator(program: Command): void {
  program
    .command("emulator")
    .description("run the service on this machine, to try things out: tunnels and shares that cost nothing")
    .argument("[options...]", "see: frontdoor emulator --help")
    .helpOption(false)
    .allowUnknownOption()
    .action(async (_options: string[], _all: object, { args }: Command) => {
      const { runEmulator } = part("emulator") as EmulatorModule;
      try {
        await runEmulator(args);
      } catch (error) {
        const { message } = error as Error;
        if (error instanceof TypeError) throw new Misuse(withCode(message, "emulator-options"));
        throw new CheckFailed(withCode(message, "emulator-failed"));
      }
    });
}
