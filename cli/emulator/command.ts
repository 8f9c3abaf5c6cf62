import type { Command } from "commander";
import { CheckFailed, Misuse } from "../outcome";
import { part } from "../part";

interface EmulatorModule {
  runEmulator: (args: string[]) => Promise<void>;
}

/** Adds `emulator`: its arguments and its help are its own. */
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
        if (error instanceof TypeError) throw new Misuse(error.message);
        throw new CheckFailed((error as Error).message);
      }
    });
}
