import { execFileSync, spawn } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import type { Emulator } from "../../emulator";
import { compileCache } from "../engine/environment";

const root = join(__dirname, "..", "..");

export interface Ran {
  code: number;
  stdout: string;
  stderr: string;
}

/** The command ended well; else an error with all it said. */
export function well(ran: Ran): Ran {
  if (ran.code === 0) return ran;
  throw new Error(`exit code ${ran.code}:\n${ran.stdout}\n${ran.stderr}`);
}

/** Examples as users copy them: folders of their own outside the repository, with the packed package and a Pulumi back end of their own. */
export class Copies {
  readonly folder = mkdtempSync(join(tmpdir(), "frontdoor-examples-"));
  /** Laid over the environment of every command. */
  readonly env: Record<string, string>;
  /** Those whose program has run: its types need no second check, which is half of a run. */
  private readonly checked = new Set<string>();

  constructor(readonly emulator: Emulator) {
    this.env = {
      FRONTDOOR_BASE_URL: emulator.baseUrl,
      FRONTDOOR_ID: emulator.frontdoorId,
      FRONTDOOR_TOKEN: emulator.token,
      FRONTDOOR_STATE_DIR: join(this.folder, "records"),
      NO_PROXY: "127.0.0.1",
      PULUMI_HOME: join(this.folder, "home"),
      PULUMI_BACKEND_URL: `file://${join(this.folder, "state")}?metadata=skip`,
      PULUMI_CONFIG_PASSPHRASE: "test",
      PULUMI_SKIP_UPDATE_CHECK: "1",
      NODE_OPTIONS: compileCache,
    };
    mkdirSync(join(this.folder, "state"));
    this.install();
  }

  /** Copies one example, whole. */
  copy(name: string): string {
    const folder = join(this.folder, name);
    cpSync(join(root, "examples", name), folder, { recursive: true });
    symlinkSync(join(this.folder, "node_modules"), join(folder, "node_modules"));
    return folder;
  }

  /** Runs a command in the copy of an example. Nothing of the caller's Pulumi or front door reaches it. */
  async run(example: string, command: string, ...args: string[]): Promise<Ran> {
    const child = this.start(example, command, ...args);
    const said = { stdout: "", stderr: "" };
    child.stdout.on("data", (chunk: Buffer) => (said.stdout += chunk.toString()));
    child.stderr.on("data", (chunk: Buffer) => (said.stderr += chunk.toString()));
    const code = await new Promise<number>((resolve, reject) => {
      child.once("error", reject).once("close", (status) => {
        resolve(status ?? -1);
      });
    });
    return { code, ...said };
  }

  start(example: string, command: string, ...args: string[]) {
    const own = Object.entries(process.env).filter(([name]) => !/^(PULUMI|FRONTDOOR)_/i.test(name));
    const path = [join(this.folder, "node_modules", ".bin"), process.env["PATH"] ?? ""].join(delimiter);
    const quick = this.checked.has(example) && { PULUMI_NODEJS_TRANSPILE_ONLY: "true" };
    const env = { ...Object.fromEntries(own), PATH: path, ...quick, ...this.env };
    return spawn(command, args, { cwd: join(this.folder, example), env, stdio: ["ignore", "pipe", "pipe"] });
  }

  /** `pulumi … --non-interactive`. */
  async pulumi(example: string, ...args: string[]): Promise<Ran> {
    const ran = await this.run(example, "pulumi", ...args, "--non-interactive", "--color", "never");
    if (["preview", "up"].includes(args[0] ?? "") && ran.code === 0) this.checked.add(example);
    return ran;
  }

  /** The requests that wrote something since the last call, such as `POST /ipsec-tunnels`. */
  writes(): string[] {
    const requests = this.emulator.requests.splice(0).filter(({ method }) => method !== "GET");
    return requests.map(({ method, path }) => `${method} ${path}`);
  }

  async close(): Promise<void> {
    await this.emulator.close();
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** What `npm install` would make, without a registry: this package as it is packed, everything else from the repository. */
  private install(): void {
    const modules = join(this.folder, "node_modules");
    mkdirSync(modules);
    for (const name of readdirSync(join(root, "node_modules"))) {
      if (name !== "pulumi-frontdoor" && name !== ".cache")
        symlinkSync(join(root, "node_modules", name), join(modules, name));
    }
    // Without its scripts: the build is the set-up's, and another test may be reading it.
    const pack = ["pack", "--ignore-scripts", "--loglevel=error", "--pack-destination", this.folder];
    const tarball = execFileSync("npm", pack, { cwd: root, encoding: "utf8" }).trim().split("\n").at(-1) ?? "";
    execFileSync("tar", ["-xzf", join(this.folder, tarball), "-C", this.folder]);
    execFileSync("mv", [join(this.folder, "package"), join(modules, "pulumi-frontdoor")]);
  }
}
