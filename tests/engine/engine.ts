import { spawn } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Emulator, type Settings, startEmulator } from "../../emulator";
import { engineEnvironment, javascript } from "./environment";
import { type EngineEvent, type Run, summarized } from "./run";

type Args = Record<string, unknown>;

/** What the program makes: arguments by logical name, options under `opts`; `{ tunnel: "hq" }` is that tunnel's id. */
export interface Resources {
  tunnels?: Record<string, Args>;
  shares?: Record<string, Args>;
  /** Only of `options-program`. */
  sites?: Record<string, Args>;
  /** Components without anything of their own; only of `options-program`. */
  groups?: Record<string, Args>;
}

/** A resource as the state keeps it. */
export interface Kept {
  id: string;
  inputs: Record<string, unknown>;
  outputs: Record<string, unknown>;
}

const root = join(__dirname, "..", "..");

/** One stack of one program in a folder of its own, run by a real engine against an emulator of its own. */
export class Stack {
  /** Laid over the environment of every engine run; undefined takes a variable out. */
  readonly env: Record<string, string | undefined>;
  private readonly folder = mkdtempSync(join(tmpdir(), "frontdoor-engine-"));

  private constructor(readonly emulator: Emulator) {
    this.env = {
      FRONTDOOR_BASE_URL: emulator.baseUrl,
      FRONTDOOR_ID: emulator.frontdoorId,
      FRONTDOOR_TOKEN: emulator.token,
      NODE_OPTIONS: javascript,
    };
  }

  /** Opens an empty stack of a program beside this file; the service is quick unless the settings say otherwise. */
  static async open(settings: Partial<Settings> = {}, program = "program"): Promise<Stack> {
    const quick = { provisionMs: 300, teardownMs: 100, token: "very-secret-token" };
    const stack = new Stack(await startEmulator({ ...quick, ...settings }));
    cpSync(join(__dirname, program), stack.folder, { recursive: true });
    symlinkSync(join(root, "node_modules"), join(stack.folder, "node_modules"));
    mkdirSync(join(stack.folder, "state"));
    const runtime = { name: "nodejs", options: { typescript: false } };
    writeFileSync(join(stack.folder, "Pulumi.yaml"), JSON.stringify({ name: "engine", runtime }));
    const { code, text } = await stack.run("stack", "init", "test");
    if (code !== 0) throw new Error(text);
    return stack;
  }

  /** Runs `pulumi up`; after one that changes something and succeeds, refresh and preview must find nothing to change and write nothing. */
  async up(resources: Resources, ...flags: string[]): Promise<Run> {
    this.program(resources);
    const run = await this.run("up", "--yes", "--skip-preview", "--stack", "test", ...flags);
    if (run.code !== 0 || run.steps.length === 0) return run;
    const asked = this.emulator.requests.length;
    for (const again of [
      await this.refresh("--expect-no-changes"),
      await this.preview(resources, "--expect-no-changes"),
    ]) {
      if (again.code !== 0) throw new Error(`the up is not quiet afterwards:\n${run.text}\n${again.text}`);
    }
    // Not asserted by every test: whoever looks at the log sees only what the up itself sent.
    const later = this.emulator.requests.splice(asked);
    if (later.some(({ method }) => method !== "GET"))
      throw new Error(`refresh or preview wrote: ${JSON.stringify(later)}`);
    return run;
  }

  preview(resources: Resources, ...flags: string[]): Promise<Run> {
    this.program(resources);
    return this.run("preview", "--stack", "test", ...flags);
  }

  refresh(...flags: string[]): Promise<Run> {
    return this.run("refresh", "--yes", "--skip-preview", "--stack", "test", ...flags);
  }

  destroy(): Promise<Run> {
    return this.run("destroy", "--yes", "--skip-preview", "--stack", "test");
  }

  /** Any pulumi command. */
  async run(...args: string[]): Promise<Run> {
    const events = join(this.folder, "events.json");
    writeFileSync(events, "");
    const env = {
      ...engineEnvironment(this.folder),
      // Without it the engine does not know --event-log.
      PULUMI_DEBUG_COMMANDS: "1",
      ...this.env,
    };
    const logged = ["up", "preview", "refresh", "destroy"].includes(args[0] ?? "") ? ["--event-log", events] : [];
    const command = [...args, ...logged, "--non-interactive", "--color", "never"];
    const child = spawn("pulumi", command, { cwd: this.folder, env, stdio: ["ignore", "pipe", "pipe"] });
    const said: string[] = [];
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (chunk: Buffer) => said.push(chunk.toString()));
    const code = await new Promise<number>((resolve, reject) => {
      child.once("error", reject).once("close", (status) => {
        resolve(status ?? -1);
      });
    });
    const lines = readFileSync(events, "utf8")
      .split("\n")
      .filter((line) => line !== "");
    return { code, text: said.join(""), ...summarized(lines.map((line) => JSON.parse(line) as EngineEvent)) };
  }

  /** The tunnels and shares in the state, by logical name; a secret, which is encrypted anew with every save, as `…`. */
  kept(): Record<string, Kept> {
    const file = readFileSync(join(this.folder, "state", ".pulumi", "stacks", "engine", "test.json"), "utf8");
    const { checkpoint } = JSON.parse(file.replace(/("ciphertext":\s*)"[^"]*"/g, '$1"…"')) as {
      checkpoint: { latest: { resources?: (Kept & { urn: string })[] } };
    };
    const ours = (checkpoint.latest.resources ?? []).filter(({ urn }) => urn.includes("frontdoor:Ipsec"));
    return Object.fromEntries(ours.map((each) => [each.urn.split("::").at(-1) ?? "", each]));
  }

  /** The id in the state of what has this logical name. */
  id(name: string): string {
    const kept = this.kept()[name];
    if (!kept) throw new Error(`the state holds no ${name}`);
    return kept.id;
  }

  /** What the service has, as `tnl-1` and `shr-1 on tnl-1`. */
  alive(): string[] {
    const tunnels = this.emulator.tunnels().filter(({ status }) => status !== "DELETED");
    const shares = this.emulator.shares().filter(({ status }) => status !== "DELETED");
    return [...tunnels.map(({ id }) => id), ...shares.map(({ id, ipsecTunnelId }) => `${id} on ${ipsecTunnelId}`)];
  }

  /** The writes so far, as `PATCH /ipsec-shares/shr-1 {"target":"…"}`; the log is empty afterwards. */
  writes(): string[] {
    return this.emulator.requests
      .splice(0)
      .filter(({ method }) => method !== "GET")
      .map(({ method, path, body }) => `${method} ${path}${body === undefined ? "" : ` ${JSON.stringify(body)}`}`);
  }

  async close(): Promise<void> {
    await this.emulator.close();
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** What the next command runs. */
  program(resources: Resources): void {
    writeFileSync(join(this.folder, "resources.json"), JSON.stringify(resources));
  }
}
