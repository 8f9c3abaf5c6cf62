import { type ChildProcess, spawn } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Emulator, type Settings, startEmulator } from "../../emulator";
import { descendants, isProvider, kill } from "../chaos/processes";
import { engineEnvironment, javascript } from "./environment";
import { type EngineEvent, type Run, summarized } from "./run";

type Args = Record<string, unknown>;

/**
 * What the program makes: arguments by logical name, options under `opts`; `{ tunnel: "hq" }` is that tunnel's id.
 * Of the options, `parent` is a component's name, and `after` what is registered first, without being depended on (it needs a `name`).
 */
export interface Resources {
  components?: Record<string, object>;
  tunnels?: Record<string, Args>;
  shares?: Record<string, Args>;
  /** Each with `shares`, whose ids are those of `<site>-<share>`. */
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

/** One that was deleted first and is not made anew yet is `pendingReplacement`. */
type Entry = Kept & { urn: string; delete?: boolean; pendingReplacement?: boolean };

interface Names {
  project?: string;
  stack?: string;
  /** The folder of the program, beside this file. */
  program?: string;
}

const root = join(__dirname, "..", "..");

/** One program in a folder of its own, with a back end and a state folder of its own, run by a real engine. */
export class Stack {
  /** Laid over the environment of every engine run; undefined takes a variable out. */
  readonly env: Record<string, string | undefined>;
  readonly folder = mkdtempSync(join(tmpdir(), "frontdoor-engine-"));
  private engine: ChildProcess | undefined;
  private backEnd = "state";

  private constructor(
    readonly emulator: Emulator,
    private readonly project: string,
    private stack: string,
    private readonly source: string,
  ) {
    this.env = {
      FRONTDOOR_BASE_URL: emulator.baseUrl,
      FRONTDOOR_ID: emulator.frontdoorId,
      FRONTDOOR_TOKEN: emulator.token,
      NODE_OPTIONS: javascript,
    };
  }

  /** Opens an empty stack of a program beside this file, on a service of its own, which is quick unless the settings say otherwise. */
  static async open(settings: Partial<Settings> = {}, program = "program"): Promise<Stack> {
    const quick = { provisionMs: 300, teardownMs: 100, token: "very-secret-token" };
    return Stack.on(await startEmulator({ ...quick, ...settings }), { program });
  }

  /** Opens an empty stack on a service that others use too, as from another developer's machine. */
  static async on(
    emulator: Emulator,
    { project = "engine", stack = "test", program = "program" }: Names = {},
  ): Promise<Stack> {
    const opened = new Stack(emulator, project, stack, program);
    cpSync(join(__dirname, program), opened.folder, { recursive: true });
    symlinkSync(join(root, "node_modules"), join(opened.folder, "node_modules"));
    const runtime = { name: "nodejs", options: { typescript: false } };
    writeFileSync(join(opened.folder, "Pulumi.yaml"), JSON.stringify({ name: project, runtime }));
    await opened.init(stack);
    return opened;
  }

  /** Makes a stack of the program, on another back end where one is named: the one that commands are about from now on. */
  async init(stack: string, backEnd = this.backEnd): Promise<void> {
    Object.assign(this, { stack, backEnd });
    mkdirSync(join(this.folder, backEnd), { recursive: true });
    const { code, text } = await this.run("stack", "init", stack);
    if (code !== 0) throw new Error(text);
  }

  /** Renames the stack that commands are about. */
  async rename(stack: string): Promise<void> {
    const { code, text } = await this.run("stack", "rename", stack, "--stack", this.stack);
    if (code !== 0) throw new Error(text);
    this.stack = stack;
  }

  /** Runs `pulumi up`; after one that changes something and succeeds, another one with a refresh must find nothing to change and write nothing. */
  async up(resources: Resources | string, ...flags: string[]): Promise<Run> {
    this.program(resources);
    const up = ["up", "--yes", "--skip-preview", "--stack", this.stack];
    const run = await this.run(...up, ...flags);
    if (run.code !== 0 || run.steps.length === 0) return run;
    const asked = this.emulator.requests.length;
    const again = await this.run(...up, "--refresh", "--expect-no-changes");
    if (again.code !== 0) throw new Error(`the up is not quiet afterwards:\n${run.text}\n${again.text}`);
    // Not asserted by every test: whoever looks at the log sees only what the up itself sent.
    const later = this.emulator.requests.splice(asked);
    if (later.some(({ method }) => method !== "GET")) throw new Error(`it wrote afterwards: ${JSON.stringify(later)}`);
    return run;
  }

  preview(resources: Resources | string, ...flags: string[]): Promise<Run> {
    this.program(resources);
    return this.run("preview", "--stack", this.stack, ...flags);
  }

  refresh(...flags: string[]): Promise<Run> {
    return this.run("refresh", "--yes", "--skip-preview", "--stack", this.stack, ...flags);
  }

  destroy(): Promise<Run> {
    return this.run("destroy", "--yes", "--skip-preview", "--stack", this.stack);
  }

  /** Any pulumi command. */
  async run(...args: string[]): Promise<Run> {
    const events = join(this.folder, "events.json");
    writeFileSync(events, "");
    const env = {
      ...engineEnvironment(this.folder),
      // Without it the engine does not know --event-log.
      PULUMI_DEBUG_COMMANDS: "1",
      PULUMI_BACKEND_URL: `file://${join(this.folder, this.backEnd)}?metadata=skip`,
      ...this.env,
    };
    const logged = ["up", "preview", "refresh", "destroy"].includes(args[0] ?? "") ? ["--event-log", events] : [];
    const command = [...args, ...logged, "--non-interactive", "--color", "never"];
    const child = spawn("pulumi", command, { cwd: this.folder, env, stdio: ["ignore", "pipe", "pipe"] });
    this.engine = child;
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

  /** Ends the provider of the command that runs, as a crash does. */
  killProvider(): void {
    for (const { pid } of descendants(this.engine?.pid ?? 0).filter(isProvider)) kill(pid);
  }

  /** The state as it lies on the back end. */
  stateText(): string {
    const { folder, backEnd, project, stack } = this;
    return readFileSync(join(folder, backEnd, ".pulumi", "stacks", project, `${stack}.json`), "utf8");
  }

  /** The tunnels and shares in the state, by logical name; a secret, which is encrypted anew with every save, as `…`. */
  kept(): Record<string, Kept> {
    const named = ({ urn, id, inputs, outputs }: Entry) => [urn.split("::").at(-1) ?? "", { id, inputs, outputs }];
    return Object.fromEntries(this.entries().map(named)) as Record<string, Kept>;
  }

  /** Every entry of the state, as `web shr-1`, in order: what is there twice shows twice, with what the engine has still to do to it. */
  entered(): string[] {
    const toDo = ({ delete: remove, pendingReplacement }: Entry) =>
      remove ? " to be deleted" : pendingReplacement ? " deleted" : "";
    return this.entries()
      .map((each) => `${each.urn.split("::").at(-1) ?? ""} ${each.id}${toDo(each)}`)
      .sort();
  }

  /** Ids of the tunnels and shares at the service, those of other stacks too, in order. */
  alive(): string[] {
    const all = [...this.emulator.tunnels(), ...this.emulator.shares()];
    return all.flatMap(({ id, status }) => (status === "DELETED" ? [] : id)).sort();
  }

  private entries(): Entry[] {
    const { checkpoint } = JSON.parse(this.stateText().replace(/("ciphertext":\s*)"[^"]*"/g, '$1"…"')) as {
      checkpoint: { latest: { resources?: Entry[] } };
    };
    const isOurs = ({ urn }: Entry) => /frontdoor:Ipsec(Tunnel|Share)::/.test(urn);
    return (checkpoint.latest.resources ?? []).filter(isOurs);
  }

  /** The id in the state of what has this logical name. */
  id(name: string): string {
    const kept = this.kept()[name];
    if (!kept) throw new Error(`the state holds no ${name}`);
    return kept.id;
  }

  /** What the service has, as `tnl-1` and `shr-1 on tnl-1`. */
  published(): string[] {
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

  /** Removes the folder; the service, which is others' too, stays. */
  forget(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  async close(): Promise<void> {
    await this.emulator.close();
    this.forget();
  }

  /** What the next command runs: resources, or the JavaScript of a program that finds `pulumi` and `frontdoor`. */
  program(program: Resources | string): void {
    const file = join(this.folder, "index.js");
    if (typeof program === "string") writeFileSync(file, `${required}\n${program}\n`);
    else {
      cpSync(join(__dirname, this.source, "index.js"), file);
      writeFileSync(join(this.folder, "resources.json"), JSON.stringify(program));
    }
  }
}

const required = 'const pulumi = require("@pulumi/pulumi");\nconst frontdoor = require("pulumi-frontdoor");';
