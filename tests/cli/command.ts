import { subscribe } from "node:diagnostics_channel";
import { EventEmitter, once } from "node:events";
import { get, type IncomingMessage } from "node:http";
import { spawn } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { Readable, Writable } from "node:stream";
import { setImmediate as turn } from "node:timers/promises";
import { pageFolder } from "../../cli/shared/files";
import { run } from "../../cli/main";
import type { Clock } from "../../provider/time";
import { type Emulator, type Settings, startEmulator } from "../../emulator";
import { type Ended, type Running, type Said, start, startPulumi, well } from "../harness/command";
import { engineEnvironment, serviceEnvironment } from "../harness/environment";
import { removeFolder, root } from "../harness/folder";

/** The command as it is installed. */
export const installed = join(root, "dist", "cli.js");

/** Requests under way in this process, of any of its runs. */
let underWay = 0;
subscribe("undici:request:create", () => (underWay += 1));
for (const end of ["trailers", "error"]) subscribe(`undici:request:${end}`, () => (underWay -= 1));

/** Time that passes only while a run of the command sleeps and no request is under way: then it jumps to the end of the first sleep. */
export class QuickClock implements Clock {
  private nowMs = 0;
  private isRunning = false;
  private readonly sleepers = new Set<{ atMs: number; wake: () => void }>();
  private readonly beganAtMs = Date.now();

  constructor(
    /** Passes the time of the emulator too. */
    private readonly advance: (ms: number) => void,
    /** No time passes beyond this one. */
    private longestMs: number,
  ) {}

  now = () => this.nowMs;
  wall = () => this.beganAtMs + this.nowMs;
  random = () => 0.5;

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    if (signal?.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const wake = () => {
        this.sleepers.delete(sleeper);
        signal?.removeEventListener("abort", wake);
        resolve();
      };
      const sleeper = { atMs: this.nowMs + Math.max(0, ms), wake };
      this.sleepers.add(sleeper);
      signal?.addEventListener("abort", wake);
      void this.run();
    });
  }

  /** Lets this time pass. */
  async pass(ms: number): Promise<void> {
    this.longestMs = this.nowMs + ms;
    await this.sleep(ms);
  }

  /** Lets time pass until a condition holds. @throws Error after an hour. */
  async passUntil(holds: () => boolean): Promise<void> {
    for (let steps = 0; !holds(); steps++) {
      if (steps > 14_400) throw new Error("The condition does not hold after an hour");
      await this.pass(250);
    }
  }

  /** True if nothing sleeps. */
  get isIdle(): boolean {
    return this.sleepers.size === 0;
  }

  private async run(): Promise<void> {
    if (this.isRunning) return;
    this.isRunning = true;
    for (;;) {
      for (let quiet = 0; quiet < 3; quiet = underWay > 0 ? 0 : quiet + 1) await turn();
      const [next] = [...this.sleepers].sort((a, b) => a.atMs - b.atMs);
      if (!next || next.atMs > this.longestMs) break;
      this.advance(next.atMs - this.nowMs);
      this.nowMs = next.atMs;
      next.wake();
    }
    this.isRunning = false;
  }
}

/** `frontdoor` while it runs in this process. */
export interface Open {
  clock: QuickClock;
  said: Said;
  /** Until its output matches. */
  says: (pattern: RegExp) => Promise<RegExpExecArray>;
  /** What Ctrl-C does. */
  stop: () => Promise<Ended>;
  end: Promise<Ended>;
}

export interface Opening {
  /** A folder below the workspace's own. */
  folder?: string;
  env?: Record<string, string | undefined>;
  stdin?: string | Buffer;
  /** A terminal of this size. */
  terminal?: { columns: number; rows: number };
  /** For a command that runs until Ctrl-C: time passes only by `clock.pass`. */
  isService?: boolean;
}

/** A folder of its own in which commands run, with the emulator in their environment and nothing of the caller's front door or Pulumi. */
export class Workspace {
  readonly folder = mkdtempSync(join(tmpdir(), "frontdoor-cli-"));

  constructor(private readonly emulator: Pick<Emulator, "baseUrl" | "frontdoorId" | "token"> & Partial<Emulator>) {}

  /** Runs `frontdoor` in this process; `env` is laid over its environment. */
  run(args: string[], env: Record<string, string | undefined> = {}): Promise<Ended> {
    return this.open(args, { env }).end;
  }

  /** Starts `frontdoor` in this process. */
  open(args: string[], { folder = "", env = {}, stdin = "", terminal, isService = false }: Opening = {}): Open {
    const said = { stdout: "", stderr: "", text: "" };
    const news = new EventEmitter();
    const capture = (name: "stdout" | "stderr") =>
      new Writable({
        decodeStrings: false,
        write: (chunk: string, _encoding, done) => {
          said[name] += chunk;
          said.text += chunk;
          news.emit("said");
          done();
        },
      });
    const stdout = Object.assign(capture("stdout"), terminal && { isTTY: true as const, ...terminal, hasColors });
    const clock = new QuickClock((ms) => this.emulator.clock?.advance(ms), isService ? 0 : Infinity);
    const { cwd, env: own } = this.where(env);
    const defined = Object.fromEntries(
      Object.entries<string | undefined>(own).filter(([, value]) => value !== undefined),
    );
    const untilStopped = () => once(news, "stop");
    const streams = { stdin: Readable.from([stdin]), stdout, stderr: capture("stderr") };
    const end = run(args, { env: defined, cwd: join(cwd, folder), ...streams, clock, untilStopped }).then((code) => ({
      code,
      ...said,
    }));
    const says = async (pattern: RegExp) => {
      for (;;) {
        const found = pattern.exec(said.text);
        if (found) return found;
        const isOver = await Promise.race([once(news, "said").then(() => false), end.then(() => true)]);
        if (isOver && !pattern.test(said.text)) throw new Error(said.text);
      }
    };
    const stop = () => {
      news.emit("stop");
      return end;
    };
    return { clock, said, says, stop, end };
  }

  /** Starts `frontdoor` in this process, on a terminal. */
  onTerminal(args: string[], env: Record<string, string | undefined> = {}, isService = false): Open {
    return this.open(args, { env: { CI: undefined, NO_COLOR: undefined, ...env }, terminal: screen, isService });
  }

  /** Starts `frontdoor` as a process. */
  start(args: string[], env: Record<string, string | undefined> = {}): Running {
    return start(process.execPath, [installed, ...args], this.where(env));
  }

  /** Runs `frontdoor` as a process. */
  started(args: string[], env: Record<string, string | undefined> = {}): Promise<Ended> {
    return this.start(args, env).end;
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
export class Fixture {
  emulator!: Emulator;
  workspace!: Workspace;

  /** Runs `frontdoor` with the words of a line. */
  run(line: string, env: Record<string, string | undefined> = {}): Promise<Ended> {
    return this.workspace.run(line.split(" "), env);
  }

  /** The line that names the front door of a command. */
  get using(): string {
    return `front door fd-1 (FRONTDOOR_ID) at ${this.emulator.baseUrl} (FRONTDOOR_BASE_URL)\n`;
  }

  onTerminal(line: string, env: Record<string, string | undefined> = {}, isService = false): Open {
    return this.workspace.onTerminal(line.split(" "), env, isService);
  }

  /** Runs `frontdoor` with the words of a line as a process. */
  started(line: string, env: Record<string, string | undefined> = {}): Promise<Ended> {
    return this.workspace.started(line.split(" "), env);
  }

  path(name: string): string {
    return this.workspace.path(name);
  }
}

const screen = { columns: 100, rows: 30 };
const hasColors = (env: unknown) => (env as NodeJS.ProcessEnv)["NO_COLOR"] === undefined;

/** Gives each test of a file an emulator with what `seed` puts there. */
export function useEmulator(seed: (emulator: Emulator) => void, settings: Partial<Settings> = {}): Fixture {
  const here = new Fixture();
  beforeEach(async () => {
    here.emulator = await startEmulator(settings);
    here.workspace = new Workspace(here.emulator);
    seed(here.emulator);
  });
  afterEach(async () => {
    await here.emulator.close();
    here.workspace.remove();
  });
  return here;
}

export interface Terminal {
  /** Until the terminal shows this. */
  shows: (text: string) => Promise<void>;
  /** What Ctrl-C does. */
  interrupt: () => void;
  kill: () => void;
  end: Promise<{ code: number; stdout: string }>;
}

/** Runs `frontdoor` in a terminal of its own, 100 columns wide. */
export function terminal(workspace: Workspace, args: string[], env: Record<string, string | undefined> = {}): Terminal {
  const { cwd, env: own } = workspace.where({
    TERM: "xterm-256color",
    COLORTERM: undefined,
    NO_COLOR: undefined,
    CI: undefined,
    ...env,
  });
  const quoted = [process.execPath, installed, ...args].map((each) => `'${each}'`).join(" ");
  const line = `stty cols ${screen.columns} rows ${screen.rows}; ${quoted}`;
  // The `script` of BSD, which macOS has, ends with the exit code of its command, and takes its words after the file.
  const options = process.platform === "linux" ? ["-qec", line, "/dev/null"] : ["-q", "/dev/null", "sh", "-c", line];
  const child = spawn("script", options, { cwd, env: own, stdio: ["pipe", "pipe", "inherit"] });
  let stdout = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
  const end = new Promise<{ code: number; stdout: string }>((resolve, reject) => {
    child.once("error", reject).once("close", (code) => {
      resolve({ code: code ?? -1, stdout });
    });
  });
  return {
    async shows(text) {
      await until(() => stdout.includes(text), `${text} in the terminal`);
    },
    interrupt: () => child.stdin.write("\x03"),
    kill: () => child.kill("SIGKILL"),
    end,
  };
}

/** `pulumi-frontdoor dashboard` on an emulator: its one-time address, and its end. */
export async function startDashboard(workspace: Workspace, args = ["dashboard"]) {
  const { pid, said, says, end } = start(process.execPath, [installed, ...args], workspace.where());
  const [url] = await says(/^http:\S+(?=\n)/m);
  return {
    url,
    said,
    stop: () => {
      process.kill(pid, "SIGINT");
      return end;
    },
  };
}

/** A module of the page. */
export const pageModule = (name: string): unknown => jest.requireActual(join(pageFolder, name));

/** Asks with any headers, as `fetch` does not let a program name the host. */
export async function ask(url: string, headers: Record<string, string>): Promise<{ status: number }> {
  const [answer] = (await once(get(url, { headers }), "response")) as [IncomingMessage];
  answer.resume();
  return { status: answer.statusCode ?? 0 };
}

/** Waits until a condition holds. @throws Error after a minute. */
export async function until(holds: () => boolean | Promise<boolean>, what = "the condition"): Promise<void> {
  for (let tries = 0; tries < 1200; tries++) {
    if (await holds()) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`${what} does not hold after a minute`);
}

/** `pulumi-frontdoor watch` as a service in this process: the address of its metrics, and its end. */
export async function startWatch(workspace: Workspace, args: string[], env: Record<string, string> = {}, at = "0") {
  const open = workspace.open(["watch", "--serve", at, ...args], { env, isService: true });
  const address = /http:\S+\/metrics(?=\n)/;
  await open.clock.passUntil(() => address.test(open.said.text));
  const [url] = await open.says(address);
  return { ...open, url, scrape: async () => (await fetch(url)).text() };
}
