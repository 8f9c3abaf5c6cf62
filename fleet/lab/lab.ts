import { type ChildProcessByStdio, spawn, spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { stringify } from "yaml";
import type { FleetFile } from "../src/fleet.ts";
import type { Report } from "../src/operation.ts";
import { Process, until } from "./processes.ts";
import { Temporal } from "./temporal.ts";

const fleetFolder = join(import.meta.dirname, "..");
const checkout = join(fleetFolder, "..");

/** What the emulator says of a request. */
export interface Sent {
  method: string;
  path: string;
  frontdoorId: string;
  status: number;
  body?: { name?: string };
}

interface WorkerSettings {
  maxStacks?: number;
  /** Laid over its environment. */
  more?: NodeJS.ProcessEnv;
  /** Its folder with the programs. */
  root?: string;
  /** More of its options. */
  options?: string[];
  /** A command that runs it, such as one that enters a namespace. */
  before?: string[];
}

/** A whole installation on this machine, in a folder of its own: Temporal, workers, an emulator, a state back end of files. */
export class Lab {
  readonly folder = mkdtempSync(join(tmpdir(), "frontdoor-fleet-"));
  /** The only bearer token of the emulator; workers have it in their environment. */
  readonly token = `token-${crypto.randomUUID()}`;
  readonly passphrase = `passphrase-${crypto.randomUUID()}`;
  readonly workers: Process[] = [];
  env: NodeJS.ProcessEnv = {};
  baseUrl = "";
  readonly temporal: Temporal;
  private emulator: Process | undefined;

  private constructor() {
    this.temporal = new Temporal(this.folder);
  }

  /** Starts Temporal, and an emulator whose token opens the front doors; no worker yet. */
  static async open(frontDoors: string[], settings: Record<string, unknown> = {}): Promise<Lab> {
    const lab = new Lab();
    try {
      for (const name of ["state", "records", "pulumi", "programs"]) mkdirSync(join(lab.folder, name));
      cpSync(join(import.meta.dirname, "program"), join(lab.folder, "programs", "site"), { recursive: true });
      symlinkSync(join(checkout, "node_modules"), join(lab.folder, "node_modules"));
      const kept = Object.entries(process.env).filter(([name]) => !/^(PULUMI|FRONTDOOR|TEMPORAL)_/.test(name));
      lab.env = {
        ...Object.fromEntries(kept),
        PULUMI_HOME: join(lab.folder, "pulumi"),
        PULUMI_BACKEND_URL: `file://${join(lab.folder, "state")}?metadata=skip`,
        PULUMI_CONFIG_PASSPHRASE: lab.passphrase,
        FRONTDOOR_STATE_DIR: join(lab.folder, "records"),
        SITE_TOKEN: lab.token,
        // Half the processor time of a run: what the tests on the engine do, too.
        NODE_OPTIONS: `--require=${JSON.stringify(join(checkout, "tests", "harness", "javascript.cjs"))}`,
      };
      await Promise.all([lab.temporal.start(lab.env), lab.startEmulator(frontDoors, settings)]);
      lab.env["TEMPORAL_ADDRESS"] = lab.temporal.address;
      return lab;
    } catch (error) {
      await lab.close();
      throw error;
    }
  }

  private async startEmulator(frontDoors: string[], settings: Record<string, unknown>): Promise<void> {
    const ready = join(this.folder, "emulator.json");
    const sets = { tokens: { [this.token]: frontDoors }, ...settings };
    const flags = Object.entries(sets).flatMap(([key, value]) => ["--set", `${key}=${JSON.stringify(value)}`]);
    const command = ["-r", "ts-node/register/transpile-only", "emulator/main.ts", "--port", "0", "--quiet"];
    const env = { ...this.env, NODE_OPTIONS: "" };
    const args = [...command, "--ready-file", ready, ...flags];
    this.emulator = new Process("node", args, { cwd: checkout, env, log: this.log("emulator") });
    await until("the emulator", () => (existsSync(ready) ? true : undefined));
    this.baseUrl = (JSON.parse(readFileSync(ready, "utf8")) as { baseUrl: string }).baseUrl;
  }

  /** A folder as of another machine: with programs of its own. */
  machine(name: string): { folder: string } {
    const folder = join(this.folder, name);
    cpSync(join(import.meta.dirname, "program"), join(folder, "programs", "site"), { recursive: true });
    return { folder };
  }

  /** Starts a worker and waits until it works. */
  async startWorker({
    maxStacks = 2,
    more = {},
    root = this.folder,
    options = [],
    before = [],
  }: WorkerSettings = {}): Promise<Process> {
    const log = this.log(`worker-${this.workers.length + 1}`);
    const allowed = [
      ...["--allow-secret", "env:SITE_TOKEN", "--allow-secret", "env:NOTE"],
      ...["--allow-url", this.baseUrl, "--allow-variable", "NODE_OPTIONS"],
    ];
    const flags = ["--root", root, "--max-stacks", String(maxStacks), ...allowed, ...options];
    const [command = "", ...args] = [...before, "node", join(fleetFolder, "src", "main.ts"), "worker", ...flags];
    const worker = new Process(command, args, { cwd: root, env: { ...this.env, ...more }, log });
    this.workers.push(worker);
    await until("a worker", () => (readFileSync(log, "utf8").includes("stacks at a time") ? true : undefined));
    return worker;
  }

  /** Writes the fleet file. */
  fleet(file: FleetFile): void {
    writeFileSync(join(this.folder, "fleet.yaml"), stringify(file));
  }

  /** Starts a command of `frontdoor-fleet`. */
  start(...args: string[]): Running {
    return new Running([join(fleetFolder, "src", "main.ts"), ...args], this.folder, this.env);
  }

  /** Runs an operation to its end. */
  async run(...args: string[]): Promise<{ code: number; report: Report; said: string }> {
    const { code, out, said } = await this.start("--json", ...args).ended;
    if (out === "") throw new Error(`no report:\n${said}`);
    return { code, report: JSON.parse(out) as Report, said };
  }

  /** The emulator's log of requests. */
  async sent(): Promise<Sent[]> {
    return (await (await fetch(new URL("/_admin/requests", this.baseUrl))).json()) as Sent[];
  }

  /** What the service has, by name. */
  async alive(): Promise<{ name: string; frontdoorId: string; status: string; id: string }[]> {
    const answer = await fetch(new URL("/_admin/state", this.baseUrl));
    const { tunnels, shares } = (await answer.json()) as Record<
      "tunnels" | "shares",
      { name: string; frontdoorId: string; status: string; id: string }[]
    >;
    return [...tunnels, ...shares].filter(({ status }) => status !== "DELETED");
  }

  async emulate(settings: Record<string, unknown>): Promise<void> {
    await fetch(new URL("/_admin/settings", this.baseUrl), { method: "PATCH", body: JSON.stringify(settings) });
  }

  /** The engines that workers have under way. */
  engines(workers = this.workers): string[] {
    const parents = workers.map(({ child }) => String(child.pid)).join(",");
    const { stdout } = spawnSync("ps", ["-o", "args=", "--ppid", parents], { encoding: "utf8" });
    return stdout.split("\n").filter((line) => /^pulumi (up|destroy|refresh|preview)/.test(line));
  }

  log(name: string): string {
    return join(this.folder, `${name}.log`);
  }

  /** Ends all that was started here, and removes the folder. */
  async close(): Promise<void> {
    await Promise.all(this.workers.map((worker) => worker.stop()));
    await Promise.all([this.temporal.kill(), this.emulator?.stop()]);
    if (!process.env["FRONTDOOR_KEEP_LAB"]) rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** A command of `frontdoor-fleet` that runs. */
export class Running {
  readonly ended: Promise<{ code: number; out: string; said: string }>;
  said = "";
  private readonly child: ChildProcessByStdio<null, Readable, Readable>;

  constructor(args: string[], cwd: string, env: NodeJS.ProcessEnv) {
    const child = spawn("node", args, { cwd, env: { ...env, NODE_OPTIONS: "" }, stdio: ["ignore", "pipe", "pipe"] });
    let out = "";
    child.stdout.on("data", (chunk) => (out += String(chunk)));
    child.stderr.on("data", (chunk) => (this.said += String(chunk)));
    this.child = child;
    this.ended = new Promise((resolve) => {
      child.once("close", (code) => {
        resolve({ code: code ?? 1, out, said: this.said });
      });
    });
  }

  /** Passes on what it says. */
  show(): void {
    this.child.stderr.pipe(process.stderr);
  }

  interrupt(): void {
    this.child.kill("SIGINT");
  }
}
