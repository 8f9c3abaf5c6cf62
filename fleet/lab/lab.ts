import { type ChildProcess, type ChildProcessByStdio, spawn, spawnSync } from "node:child_process";
import {
  closeSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { Connection } from "@temporalio/client";
import { stringify } from "yaml";
import { buildIn } from "../build";
import type { FleetFile } from "../src/fleet";
import type { Report } from "../src/operation";

/** All fleets of a lab have this name, so its workers take their stacks. */
export const labFleet = "lab";

const checkout = join(__dirname, "..", "..");

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
  /** More of its options. */
  options?: string[];
}

/** A whole installation on this machine, in a folder of its own: Temporal, workers, an emulator, a state back end of files. */
export class Lab {
  readonly folder = mkdtempSync(join(tmpdir(), "frontdoor-fleet-"));
  /** The only bearer token of the emulator; workers have it in their environment. */
  readonly token = `token-${crypto.randomUUID()}`;
  readonly passphrase = `passphrase-${crypto.randomUUID()}`;
  readonly workers: Process[] = [];
  env: NodeJS.ProcessEnv = {};
  /** The file of `frontdoor-fleet`. */
  command = "";
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
      const site = join(lab.folder, "programs", "site");
      for (const name of ["state", "records", "pulumi"]) mkdirSync(join(lab.folder, name));
      mkdirSync(site, { recursive: true });
      copyFileSync(join(__dirname, "program.js"), join(site, "index.js"));
      writeFileSync(join(site, "package.json"), '{ "main": "index.js" }');
      writeFileSync(join(site, "Pulumi.yaml"), "name: fleet-site\nruntime: nodejs\n");
      lab.command = buildIn(lab.folder);
      const kept = Object.entries(process.env).filter(([name]) => !/^(PULUMI|FRONTDOOR|TEMPORAL)_/.test(name));
      lab.env = {
        ...Object.fromEntries(kept),
        PULUMI_HOME: join(lab.folder, "pulumi"),
        PULUMI_BACKEND_URL: `file://${join(lab.folder, "state")}?metadata=skip`,
        PULUMI_CONFIG_PASSPHRASE: lab.passphrase,
        FRONTDOOR_STATE_DIR: join(lab.folder, "records"),
        SITE_TOKEN: lab.token,
        // A test looks for secrets in Temporal's database.
        FRONTDOOR_FLEET_KEY: "none",
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

  /** Starts a worker and waits until it works. */
  async startWorker({ maxStacks = 2, more = {}, options = [] }: WorkerSettings = {}): Promise<Process> {
    const log = this.log(`worker-${this.workers.length + 1}`);
    const allowed = [
      ...["--allow-secret", "env:SITE_TOKEN", "--allow-secret", "env:NOTE"],
      ...["--allow-url", this.baseUrl, "--allow-variable", "NODE_OPTIONS"],
    ];
    const flags = [
      "--root",
      this.folder,
      "--fleet",
      labFleet,
      "--max-stacks",
      String(maxStacks),
      ...allowed,
      ...options,
    ];
    const args = [this.command, "worker", ...flags];
    const worker = new Process("node", args, { cwd: this.folder, env: { ...this.env, ...more }, log });
    this.workers.push(worker);
    await until("a worker", () => (readFileSync(log, "utf8").includes("stacks at a time") ? true : undefined));
    return worker;
  }

  /** Writes the fleet file. */
  fleet(file: Omit<FleetFile, "name">): void {
    writeFileSync(join(this.folder, "fleet.yaml"), stringify({ name: labFleet, ...file }));
  }

  /** Starts a command of `frontdoor-fleet`. */
  start(...args: string[]): Running {
    return new Running([this.command, ...args], this.folder, this.env);
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
    const parents = workers.map(({ child }) => child.pid);
    const { stdout } = spawnSync("ps", ["-A", "-o", "ppid=,args="], { encoding: "utf8" });
    return stdout.split("\n").filter((line) => {
      const [, parent, args = ""] = /^ *(\d+) (.*)$/.exec(line) ?? [];
      return parents.includes(Number(parent)) && /^pulumi (up|destroy|refresh|preview)/.test(args);
    });
  }

  log(name: string): string {
    return join(this.folder, `${name}.log`);
  }

  /** Interruption all that was started here, and removes the folder. */
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
    child.stdout.setEncoding("utf8").on("data", (text: string) => (out += text));
    child.stderr.setEncoding("utf8").on("data", (text: string) => (this.said += text));
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

/** True if `temporal` is not on PATH. */
export const noTemporal = spawnSync("temporal", ["--version"]).status !== 0;

/** Temporal's development server, whose data outlive it: it can be killed and started again. */
export class Temporal {
  readonly database: string;
  private server: Process | undefined;
  private readonly folder: string;
  private readonly options: string[];
  private readonly host = "127.0.0.1";
  private port = 0;

  constructor(folder: string, options: string[] = []) {
    this.folder = folder;
    this.options = options;
    this.database = join(folder, "temporal.db");
  }

  get address(): string {
    return `${this.host}:${this.port}`;
  }

  async start(env: NodeJS.ProcessEnv): Promise<void> {
    if (this.port === 0) this.port = await freePort();
    const flags = ["--headless", "--ip", this.host, "--port", String(this.port), "--log-level", "error"];
    const args = ["server", "start-dev", ...flags, "--db-filename", this.database, ...this.options];
    this.server = new Process("temporal", args, { cwd: this.folder, env, log: join(this.folder, "temporal.log") });
    await until("Temporal", () =>
      Connection.connect({ address: this.address, connectTimeout: 2000 }).then(
        (opened) => opened.close().then(() => true),
        () => undefined,
      ),
    );
  }

  async kill(): Promise<void> {
    await this.server?.kill();
  }
}

/** A port that nothing uses now. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** A process of the lab with its output in a file. */
export class Process {
  readonly child: ChildProcess;
  readonly ended: Promise<number | null>;

  constructor(
    command: string,
    args: string[],
    { cwd, env, log }: { cwd: string; env?: NodeJS.ProcessEnv; log: string },
  ) {
    const output = openSync(log, "a", 0o600);
    this.child = spawn(command, args, { cwd, env, stdio: ["ignore", output, output] });
    closeSync(output);
    this.ended = new Promise((resolve) => {
      this.child.once("error", () => {
        resolve(null);
      });
      this.child.once("exit", resolve);
    });
  }

  /** Asks it to end, and kills it after a while. */
  async stop(patienceMs = 30_000): Promise<void> {
    this.child.kill("SIGTERM");
    const late = await Promise.race([this.ended.then(() => false), sleep(patienceMs, true, { ref: false })]);
    if (late) await this.kill();
  }

  async kill(): Promise<void> {
    this.child.kill("SIGKILL");
    await this.ended;
  }
}

/** Asks time and again until the answer is not undefined. @throws Error after a while, with what was waited for */
export async function until<T>(
  what: string,
  ask: () => T | undefined | Promise<T | undefined>,
  patienceMs = 120_000,
): Promise<T> {
  for (const endMs = performance.now() + patienceMs; performance.now() < endMs;) {
    const answer = await ask();
    if (answer !== undefined) return answer;
    await sleep(200);
  }
  throw new Error(`waited in vain for ${what}`);
}
