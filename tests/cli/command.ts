import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Emulator } from "../../emulator";
import { type Ended, start, startPulumi, well } from "../harness/command";
import { engineEnvironment } from "../harness/environment";
import { root } from "../harness/folder";

/** The command as it is installed. */
export const installed = join(root, "dist", "cli.js");

/** A folder of its own in which the command runs, with nothing in its environment of the caller's front door or Pulumi. */
export class Place {
  readonly folder = mkdtempSync(join(tmpdir(), "frontdoor-cli-"));

  constructor(private readonly emulator: Emulator) {}

  /** Runs `frontdoor` with the emulator in its environment; `env` is laid over that. */
  run(args: string[], env: Record<string, string | undefined> = {}): Promise<Ended> {
    const { baseUrl, frontdoorId, token } = this.emulator;
    const own = { FRONTDOOR_BASE_URL: baseUrl, FRONTDOOR_ID: frontdoorId, FRONTDOOR_TOKEN: token };
    const where = { cwd: this.folder, env: { ...engineEnvironment(this.folder), ...own, ...env } };
    return start(process.execPath, [installed, ...args], where).end;
  }

  /** Runs `pulumi` there. @throws Error where it fails. */
  async pulumi(...args: string[]): Promise<Ended> {
    return well(await startPulumi(args, { cwd: this.folder, env: engineEnvironment(this.folder) }).end);
  }

  path(name: string): string {
    return join(this.folder, name);
  }

  remove(): void {
    rmSync(this.folder, { recursive: true });
  }
}
