import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { type Emulator, type Settings, startEmulator } from "../../emulator";
import { type Ended, start, startPulumi, well } from "../harness/command";
import { engineEnvironment, serviceEnvironment } from "../harness/environment";
import { removeFolder, root } from "../harness/folder";

/** The command as it is installed. */
export const installed = join(root, "dist", "cli.js");

/** A folder of its own in which commands run, with the emulator in their environment and nothing of the caller's front door or Pulumi. */
export class Place {
  readonly folder = mkdtempSync(join(tmpdir(), "frontdoor-cli-"));

  constructor(private readonly emulator: Pick<Emulator, "baseUrl" | "frontdoorId" | "token">) {}

  /** Runs `frontdoor`; `env` is laid over its environment. */
  run(args: string[], env: Record<string, string | undefined> = {}): Promise<Ended> {
    return start(process.execPath, [installed, ...args], this.where(env)).end;
  }

  /** Runs `pulumi`, which finds the plugin. @throws Error where it fails. */
  async pulumi(args: string[], env: Record<string, string | undefined> = {}): Promise<Ended> {
    const PATH = [join(root, "dist", "plugin"), process.env["PATH"]].join(delimiter);
    return well(await startPulumi(args, this.where({ PATH, ...env })).end);
  }

  path(name: string): string {
    return join(this.folder, name);
  }

  remove(): void {
    removeFolder(this.folder);
  }

  /** Where its commands run. */
  where(env: Record<string, string | undefined> = {}) {
    return {
      cwd: this.folder,
      env: { ...engineEnvironment(this.folder), ...serviceEnvironment(this.emulator), ...env },
    };
  }
}

/** An emulator, and a folder beside it, for a test. */
export class Here {
  emulator!: Emulator;
  place!: Place;

  /** Runs `frontdoor` with the words of a line. */
  run(line: string, env: Record<string, string | undefined> = {}): Promise<Ended> {
    return this.place.run(line.split(" "), env);
  }

  path(name: string): string {
    return this.place.path(name);
  }
}

/** Gives each test of a file an emulator with what `seed` puts there. */
export function useEmulator(seed: (emulator: Emulator) => void, settings: Partial<Settings> = {}): Here {
  const here = new Here();
  beforeEach(async () => {
    here.emulator = await startEmulator(settings);
    here.place = new Place(here.emulator);
    seed(here.emulator);
  });
  afterEach(async () => {
    await here.emulator.close();
    here.place.remove();
  });
  return here;
}
