import { copyFileSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { type Emulator, type Settings, startEmulator } from "../../emulator";
import { descendants, isProvider, kill, type Process, type Running, startPulumi, well } from "./command";
import {
  engineEnvironment,
  dynamicClasses,
  pathWithPlugin,
  quick,
  quickJavaScript,
  serviceEnvironment,
} from "./environment";
import { ownProgram, programFolder, removeFolder } from "./folder";
import {
  type BackEnd,
  emptyState,
  type EngineEvent,
  type Entry,
  heldIn,
  inFolder,
  nameOf,
  type Run,
  salt,
  summarized,
} from "./state";

type Args = Record<string, unknown>;

/** What `program.js` makes: arguments by logical name, options under `opts`; `{ tunnel: "hq" }` is that tunnel's id, `{ secret: "…" }` a secret. */
export interface Resources {
  /** Components without anything of their own. */
  groups?: Record<string, Args>;
  tunnels?: Record<string, Args>;
  shares?: Record<string, Args>;
  /** Each with `shares`, whose ids are those of `<site>-<share>`. */
  sites?: Record<string, Args>;
  /** Sets of shares. */
  sets?: Record<string, Args>;
  /** Tunnel connections. */
  connections?: Record<string, Args>;
}

/** A resource in the state. */
export type Kept = Pick<Entry, "id" | "inputs" | "outputs">;

interface Names {
  project?: string;
  stack?: string;
  /** A JavaScript file, or a whole folder in TypeScript. */
  source?: string;
  /** The package whose resources it makes. */
  imports?: string;
  /** Without it the state lies in the program's folder. */
  backEnd?: BackEnd;
}

const logged = ["up", "preview", "refresh", "destroy"];

/** One program in a folder of its own, with a back end and a state folder of its own, run by a real engine. */
export class Stack {
  /** Laid over the environment of every engine run; undefined takes a variable out. */
  readonly env: Record<string, string | undefined>;
  readonly folder: string;
  /** As its Pulumi.yaml says: a folder brings its own. */
  private project: string;
  private engine: Running | undefined;
  private readonly backEnd: BackEnd;

  private constructor(
    readonly emulator: Emulator,
    project: string,
    private stack: string,
    private readonly source: string,
    /** The package whose classes the programs use from now on. */
    public imports: string,
    backEnd: BackEnd | undefined,
  ) {
    this.folder = programFolder(source, project);
    this.project = (parse(readFileSync(join(this.folder, "Pulumi.yaml"), "utf8")) as { name: string }).name;
    this.backEnd = backEnd ?? inFolder(join(this.folder, "state"));
    const isJavaScript = source.endsWith(".js");
    this.env = {
      ...serviceEnvironment(emulator),
      PATH: pathWithPlugin,
      NODE_OPTIONS: isJavaScript ? quickJavaScript : quick,
      // The type check of the repository includes what is in TypeScript here.
      ...(!isJavaScript && { PULUMI_NODEJS_TRANSPILE_ONLY: "true" }),
    };
  }

  /** Opens an empty stack on a service of its own, which is quick unless the settings say otherwise. */
  static async open(settings: Partial<Settings> = {}, names: Names = {}): Promise<Stack> {
    const brisk = { provisionMs: 300, teardownMs: 100, token: "very-secret-token" };
    return Stack.on(await startEmulator({ ...brisk, ...settings }), names);
  }

  /** Opens an empty stack on a service that others use too, as from another developer's machine. */
  static on(emulator: Emulator, names: Names = {}) {
    const { project = "engine", stack = "test", source = ownProgram, imports = dynamicClasses, backEnd } = names;
    const opened = new Stack(emulator, project, stack, source, imports, backEnd);
    opened.init();
    return opened;
  }

  /** Makes an empty state. */
  private init(): void {
    this.backEnd.write(this.project, this.stack, emptyState(this.project, this.stack));
    const settings = join(this.folder, `Pulumi.${this.stack}.yaml`);
    const kept = existsSync(settings) ? readFileSync(settings, "utf8") : "";
    if (!kept.includes("encryptionsalt:")) writeFileSync(settings, `encryptionsalt: ${salt}\n${kept}`);
  }

  /** Renames the stack that commands are about, and its project if another one is named. */
  async rename(stack: string, project = this.project): Promise<void> {
    const whole = project === this.project ? stack : `organization/${project}/${stack}`;
    well(await this.start("stack", "rename", whole, "--stack", this.stack).end);
    const file = join(this.folder, "Pulumi.yaml");
    writeFileSync(file, readFileSync(file, "utf8").replace(this.project, project));
    [this.stack, this.project] = [stack, project];
  }

  /** Runs `pulumi up` once. */
  up(program: Resources | string, ...flags: string[]): Promise<Run> {
    this.program(program);
    return this.run("up", "--yes", "--skip-preview", "--stack", this.stack, ...flags);
  }

  /** The same; after one that changes something and succeeds, another one with a refresh must find nothing to change and write nothing. */
  async steadyUp(program: Resources | string, ...flags: string[]): Promise<Run> {
    const run = await this.up(program, ...flags);
    if (run.code !== 0 || run.steps.length === 0) return run;
    const asked = this.emulator.requests.length;
    const again = await this.up(program, "--refresh", "--expect-no-changes");
    if (again.code !== 0) throw new Error(`the up is not quiet afterwards:\n${run.text}\n${again.text}`);
    // Not asserted by every test: whoever looks at the log sees only what the up itself sent.
    const later = this.emulator.requests.splice(asked);
    if (later.some(({ method }) => method !== "GET")) throw new Error(`it wrote afterwards: ${JSON.stringify(later)}`);
    return run;
  }

  preview(program: Resources | string, ...flags: string[]): Promise<Run> {
    this.program(program);
    return this.run("preview", "--stack", this.stack, ...flags);
  }

  refresh(...flags: string[]): Promise<Run> {
    return this.run("refresh", "--yes", "--skip-preview", "--stack", this.stack, ...flags);
  }

  destroy(): Promise<Run> {
    return this.run("destroy", "--yes", "--skip-preview", "--stack", this.stack);
  }

  /** Any pulumi command; of those that do something to resources, what they did. */
  async run(...args: string[]): Promise<Run> {
    const events = join(this.folder, "events.json");
    rmSync(events, { force: true });
    const isLogged = logged.includes(args[0] ?? "");
    const { code, text } = await this.start(...args, ...(isLogged ? ["--event-log", events] : [])).end;
    // A killed engine leaves half a line.
    const lines = (existsSync(events) ? readFileSync(events, "utf8") : "")
      .split("\n")
      .filter((line) => line.endsWith("}"));
    return { code, text, ...summarized(lines.map((line) => JSON.parse(line) as EngineEvent)) };
  }

  private start(...args: string[]): Running {
    const env = {
      ...engineEnvironment(this.folder, this.backEnd),
      // Without it the engine does not know --event-log.
      PULUMI_DEBUG_COMMANDS: "1",
      PULUMI_STACK: this.stack,
      ...this.env,
    };
    this.engine = startPulumi(args, { cwd: this.folder, env });
    return this.engine;
  }

  /** The processes that the engine of the command that runs has started. */
  processes(): Process[] {
    return descendants(this.engine?.pid ?? 0);
  }

  /** Ends the provider of the command that runs, as a crash does. */
  killProvider(): void {
    for (const { pid } of this.processes().filter(isProvider)) kill(pid);
  }

  /** Ends the engine of the command that runs, as a crash does. */
  killEngine(): void {
    if (this.engine) kill(this.engine.pid);
  }

  /** Ctrl-C, or another signal. */
  interrupt(signal: NodeJS.Signals = "SIGINT"): void {
    if (this.engine) kill(this.engine.pid, signal);
  }

  /** The state as it lies on the back end. */
  stateText(): string {
    return this.backEnd.read(this.project, this.stack);
  }

  /** Puts a state back as it was, on a machine that has no record of what came after it. */
  restore(state: string): void {
    this.backEnd.write(this.project, this.stack, state);
    removeFolder(join(this.folder, "records"));
  }

  /** The tunnels and shares in the state, by logical name; a secret, which is encrypted anew with every save, as `…`. */
  kept(): Record<string, Kept> {
    const kept = this.entries().map(({ urn, id, inputs, outputs }) => [nameOf(urn), { id, inputs, outputs }] as const);
    return Object.fromEntries(kept);
  }

  /** Every entry of the state, as `web shr-1`, in order: what is there twice shows twice, with what the engine has still to do to it. */
  entered(): string[] {
    const toDo = ({ delete: remove, pendingReplacement }: Entry) =>
      remove ? " to be deleted" : pendingReplacement ? " deleted" : "";
    return this.entries()
      .map((each) => `${nameOf(each.urn)} ${each.id}${toDo(each)}`)
      .sort();
  }

  /** What the state holds of ours. */
  entries(): Entry[] {
    return heldIn(this.stateText().replace(/("ciphertext":\s*)"[^"]*"/g, '$1"…"')).entries;
  }

  /** Ids of the tunnels and shares at the service, those of other stacks too, in order. */
  alive(): string[] {
    const all = [...this.emulator.tunnels(), ...this.emulator.shares()];
    return all.flatMap(({ id, status }) => (status === "DELETED" ? [] : id)).sort();
  }

  /** The id in the state of what has this logical name. */
  id(name: string): string {
    const kept = this.kept()[name];
    if (!kept) throw new Error(`the state holds no ${name}`);
    return kept.id;
  }

  /** The writes so far, as `PATCH /ipsec-shares/shr-1 {"target":"…"}`; the log is empty afterwards. */
  writes(): string[] {
    return this.emulator.requests
      .splice(0)
      .filter(({ method }) => method !== "GET")
      .map(({ method, path, body }) => `${method} ${path}${body === undefined ? "" : ` ${JSON.stringify(body)}`}`);
  }

  /** The same without what was sent. */
  calls(): string[] {
    return this.writes().map((write) => write.split(" {")[0] ?? "");
  }

  /** Removes the folder; the service, which is others' too, stays. */
  forget(): void {
    removeFolder(this.folder);
  }

  async close(): Promise<void> {
    await this.emulator.close();
    this.forget();
  }

  /** What the next command runs: resources, or the JavaScript of a program that finds `pulumi` and `frontdoor`. */
  program(program: Resources | string): void {
    const file = join(this.folder, "index.js");
    const { imports } = this;
    if (typeof program === "string") {
      const required = `const pulumi = require("@pulumi/pulumi");\nconst frontdoor = require(${JSON.stringify(imports)});`;
      writeFileSync(file, `${required}\n${program}\n`);
    } else {
      copyFileSync(this.source, file);
      writeFileSync(join(this.folder, "resources.json"), JSON.stringify({ imports, ...program }));
    }
  }
}
