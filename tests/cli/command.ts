import { once } from "node:events";
import { createServer, get, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { pageFolder } from "../../cli/files";
import { type Emulator, type Settings, startEmulator } from "../../emulator";
import { type Ended, start, startPulumi, well } from "../harness/command";
import { engineEnvironment, serviceEnvironment } from "../harness/environment";
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
  where(env: Record<string, string | undefined> = {}) {
    return {
      cwd: this.folder,
      env: { ...engineEnvironment(this.folder), ...serviceEnvironment(this.emulator), ...env },
    };
  }
}

/** An emulator, and a folder beside it, for a test. */
export class Here {
  emulator!: Emulator;
  place!: Place;

  /** Runs `frontdoor` with the words of a line. */
  run(line: string, env: Record<string, string | undefined> = {}): Promise<Ended> {
    return this.place.run(line.split(" "), env);
  }

  path(name: string): string {
    return this.place.path(name);
  }
}

/** Gives each test of a file an emulator with what `seed` puts there. */
export function useEmulator(seed: (emulator: Emulator) => void, settings: Partial<Settings> = {}): Here {
  const here = new Here();
  beforeEach(async () => {
    here.emulator = await startEmulator(settings);
    here.place = new Place(here.emulator);
    seed(here.emulator);
  });
  afterEach(async () => {
    await here.emulator.close();
    here.place.remove();
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
export function terminal(place: Place, args: string[], env: Record<string, string | undefined> = {}): Terminal {
  const { cwd, env: own } = place.where({
    TERM: "xterm-256color",
    COLORTERM: undefined,
    NO_COLOR: undefined,
    CI: undefined,
    ...env,
  });
  const quoted = [process.execPath, installed, ...args].map((each) => `'${each}'`).join(" ");
  const line = `stty cols 100 rows 30; ${quoted}`;
  const child = spawn("script", ["-qec", line, "/dev/null"], { cwd, env: own, stdio: ["pipe", "pipe", "inherit"] });
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

/** `frontdoor dashboard` on an emulator: its one-time address, and its end. */
export async function startDashboard(place: Place, args = ["dashboard"]) {
  const { pid, said, says, end } = start(process.execPath, [installed, ...args], place.where());
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

/** What a script of the page's modules comes to; browsers' modules run in Node as they are. */
export function evaluate(script: string): unknown {
  const options = ["--disable-warning=MODULE_TYPELESS_PACKAGE_JSON", "--input-type=module"];
  const text = execFileSync(process.execPath, [...options, "-e", script], { cwd: pageFolder, encoding: "utf8" });
  return JSON.parse(text) as unknown;
}

/** An HTTP server that receives alerts. `status` is its answer. */
export async function startReceiver() {
  const bodies: { event: string; resourceId: string; id: string }[] = [];
  const receiver = { status: 200, bodies, url: "", close: () => server.close() };
  const server = createServer((request, response) => {
    let text = "";
    request.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
    request.on("end", () => {
      if (receiver.status === 200) bodies.push(JSON.parse(text) as (typeof bodies)[number]);
      response.writeHead(receiver.status).end();
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  receiver.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/alerts`;
  return receiver;
}

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

/** `frontdoor watch` as a service: the address of its metrics, and its end. */
export async function startWatch(place: Place, args: string[], env: Record<string, string> = {}, address = "0") {
  const all = [installed, "watch", "--serve", address, ...args];
  const { pid, said, says, end } = start(process.execPath, all, place.where(env));
  const [url] = await says(/http:\S+\/metrics(?=\n)/);
  return {
    url,
    said,
    pid,
    end,
    scrape: async () => (await fetch(url)).text(),
    stop: () => {
      process.kill(pid, "SIGTERM");
      return end;
    },
  };
}
