import { cpSync, mkdirSync, mkdtempSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { type Emulator, startEmulator } from "../../emulator";
import { type Ended, type Running, start, startPulumi } from "./command";
import { engineEnvironment, quick, serviceEnvironment } from "./environment";
import { removeFolder, root, installPacked } from "./folder";

/** Examples as users copy them: folders of their own outside the repository, with the packed package and one Pulumi back end. */
export class Copies {
  readonly folder = mkdtempSync(join(tmpdir(), "frontdoor-examples-"));
  /** Laid over the environment of every command. */
  readonly env: Record<string, string>;
  /** Those whose program has run: its types need no second check, which is half of a run. */
  private readonly checked = new Set<string>();

  private constructor(readonly emulator: Emulator) {
    this.env = serviceEnvironment(emulator);
    mkdirSync(join(this.folder, "state"));
    installPacked(this.folder);
  }

  static async open(token = "very-secret-token"): Promise<Copies> {
    return new Copies(await startEmulator({ provisionMs: 300, teardownMs: 100, token }));
  }

  /** Copies one example, whole. */
  copy(name: string): string {
    const folder = join(this.folder, name);
    cpSync(join(root, "examples", name), folder, { recursive: true });
    symlinkSync(join(this.folder, "node_modules"), join(folder, "node_modules"));
    return folder;
  }

  /** Starts a command in the copy of an example. */
  start(example: string, command: string, ...args: string[]): Running {
    return start(command, args, this.where(example));
  }

  startPulumi(example: string, ...args: string[]): Running {
    return startPulumi(args, this.where(example));
  }

  /** The same with its end awaited. */
  async pulumi(example: string, ...args: string[]): Promise<Ended> {
    const ended = await this.startPulumi(example, ...args).end;
    if (["preview", "up"].includes(args[0] ?? "") && ended.code === 0) this.checked.add(example);
    return ended;
  }

  private where(example: string) {
    const own = engineEnvironment(this.folder);
    const modules = join(this.folder, "node_modules");
    // The commands of the packed package are no links, as npm would make them.
    const plugin = join(modules, "pulumi-frontdoor", "dist", "plugin");
    const path = [plugin, join(modules, ".bin"), own["PATH"] ?? ""].join(delimiter);
    const unchecked = this.checked.has(example) && { PULUMI_NODEJS_TRANSPILE_ONLY: "true" };
    const env = { ...own, PATH: path, NODE_OPTIONS: quick, ...unchecked, ...this.env };
    return { cwd: join(this.folder, example), env };
  }

  /** The requests that wrote something since the last call, such as `POST /ipsec-tunnels`. */
  writes(): string[] {
    const requests = this.emulator.requests.splice(0).filter(({ method }) => method !== "GET");
    return requests.map(({ method, path }) => `${method} ${path}`);
  }

  async close(): Promise<void> {
    await this.emulator.close();
    removeFolder(this.folder);
  }
}
