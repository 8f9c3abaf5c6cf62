import { spawn } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { RequestEntry } from "../../emulator/request-log";
import { type Behaviour, BenchService } from "./service";
import { type Watched, watchUsage } from "./usage";

const root = join(__dirname, "..", "..");

/** The engine's floor, what is written today without a package, and this package. */
export const names = ["floor", "naive", "ours"] as const;
export type Name = (typeof names)[number];

export const commands = ["up", "preview", "refresh", "destroy"] as const;
export type Command = (typeof commands)[number];

export interface Size {
  shares: number;
  parallel: number;
  /** False: `PULUMI_SKIP_CHECKPOINTS`, fast mode. */
  checkpoints: boolean;
}

/** What one command cost. */
export interface Cost extends Watched {
  wallMs: number;
  requests: RequestEntry[];
  /** Of the state file, after it. */
  stateBytes: number;
}

/** One contender with a stack and a service of its own. */
export class Contender {
  private constructor(
    private readonly name: Name,
    private readonly size: Size,
    private readonly behaviour: Behaviour,
    private readonly folder: string,
    private readonly service: BenchService,
  ) {}

  static async open(name: Name, size: Size, behaviour: Behaviour): Promise<Contender> {
    const service = await BenchService.start(behaviour);
    const folder = mkdtempSync(join(tmpdir(), "frontdoor-bench-"));
    cpSync(join(__dirname, "programs"), folder, { recursive: true });
    symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
    mkdirSync(join(folder, "state"));
    writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "bench", main: `${name}.js` }));
    writeFileSync(join(folder, "Pulumi.yaml"), JSON.stringify({ name: "bench", runtime: "nodejs" }));
    const contender = new Contender(name, size, behaviour, folder, service);
    await contender.pulumi("stack", "init", "test");
    return contender;
  }

  /** Runs a command that has to succeed. */
  async run(command: Command): Promise<Cost> {
    await this.service.requests();
    const flags = command === "preview" ? [] : ["--yes", "--skip-preview"];
    const { wallMs, ...usage } = await this.pulumi(
      command,
      ...flags,
      ...["--stack", "test", "--parallel", String(this.size.parallel)],
    );
    const state = join(this.folder, "state", ".pulumi", "stacks", "bench", "test.json");
    return { wallMs, ...usage, requests: await this.service.requests(), stateBytes: statSync(state).size };
  }

  /** The longest a share of the state is, as JSON without white space. */
  shareBytes(): number {
    const text = readFileSync(join(this.folder, "state", ".pulumi", "stacks", "bench", "test.json"), "utf8");
    const { checkpoint } = JSON.parse(text) as { checkpoint: { latest: { resources: { urn: string }[] } } };
    const shares = checkpoint.latest.resources.filter(({ urn }) => urn.includes("::share-"));
    return Math.max(...shares.map((share) => JSON.stringify(share).length));
  }

  close(): void {
    this.service.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }

  private async pulumi(...args: string[]): Promise<Watched & { wallMs: number }> {
    const own = Object.entries(process.env).filter(([name]) => !/^(PULUMI|FRONTDOOR)_/i.test(name));
    const env = {
      ...Object.fromEntries(own),
      NO_PROXY: "127.0.0.1",
      no_proxy: "127.0.0.1",
      PULUMI_HOME: join(this.folder, "home"),
      PULUMI_BACKEND_URL: `file://${join(this.folder, "state")}?metadata=skip`,
      PULUMI_CONFIG_PASSPHRASE: "bench",
      FRONTDOOR_STATE_DIR: join(this.folder, "records"),
      PULUMI_SKIP_UPDATE_CHECK: "1",
      ...(this.size.checkpoints ? {} : { PULUMI_SKIP_CHECKPOINTS: "true" }),
      FRONTDOOR_BASE_URL: this.service.baseUrl,
      FRONTDOOR_ID: "fd-1",
      FRONTDOOR_TOKEN: "emulator-token",
      // What is measured is the provider, not its courtesy to the service.
      FRONTDOOR_REQUESTS_PER_SECOND: "10000",
      BENCH_SHARES: String(this.size.shares),
      BENCH_PROVISION_SECONDS: String(this.behaviour.provisionSeconds),
    };
    const startedMs = performance.now();
    const command = [...args, "--non-interactive", "--color", "never"];
    const child = spawn("pulumi", command, { cwd: this.folder, env, stdio: ["ignore", "pipe", "pipe"] });
    const usage = watchUsage(child.pid ?? 0);
    const said: string[] = [];
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (chunk: Buffer) => said.push(chunk.toString()));
    const code = await new Promise((resolve, reject) => child.once("error", reject).once("exit", resolve));
    const wallMs = performance.now() - startedMs;
    const used = usage.stop();
    if (code !== 0)
      throw new Error(`${this.name}: pulumi ${args.join(" ")} ended with ${String(code)}:\n${said.join("")}`);
    return { wallMs, ...used };
  }
}
