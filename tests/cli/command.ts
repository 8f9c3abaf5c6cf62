import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import type { Emulator } from "../../emulator";
import { type Ended, start, startPulumi, well } from "../harness/command";
import { engineEnvironment } from "../harness/environment";
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
  where(env: Record<string, string | undefined>) {
    const { baseUrl, frontdoorId, token } = this.emulator;
    const own = { FRONTDOOR_BASE_URL: baseUrl, FRONTDOOR_ID: frontdoorId, FRONTDOOR_TOKEN: token };
    return { cwd: this.folder, env: { ...engineEnvironment(this.folder), ...own, ...env } };
  }
}
