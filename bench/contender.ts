import { cpSync, mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import type { RequestEntry } from "../emulator/request-log";
import { startPulumi } from "../tests/harness/command";
import { engineEnvironment, pathWithPlugin } from "../tests/harness/environment";
import { removeFolder, root } from "../tests/harness/folder";
import { type BackEnd, inFolder } from "../tests/harness/state";
import { type Behaviour, BenchService } from "./service";
import { timed, type Watched } from "./usage";

/**
 * What is compared: the floor of dynamic providers, a naive one, this one; the floor of plugins and this plugin; all shares as one set,
 * by the dynamic provider and by the plugin; a program without resources.
 */
export type Name = "floor" | "naive" | "hello" | "empty" | Own | `other ${Own}`;

/** The contenders of this provider. Those of `--other` are built in another checkout. */
export type Own = "ours" | "plugin" | "set" | "pluginSet";

/** `edit` is an up after one share has changed. */
export type Command = "up" | "preview" | "edit" | "refresh" | "destroy";

/** One comparison: the same commands by several contenders, in turn, so many times. */
export interface Case extends Behaviour {
  contenders: readonly Name[];
  commands: readonly Command[];
  rounds: number;
  shares: number;
  parallel: number;
  /** False: `PULUMI_SKIP_CHECKPOINTS`, fast mode. */
  checkpoints: boolean;
}

/** What one command cost. */
export interface Cost extends Watched {
  wallMs: number;
  requests: RequestEntry[];
  /** What it printed. */
  text: string;
  /** Of the state, after it. */
  stateBytes: number;
}

const other = "other ";
const checkoutOf = (name: Name): string => (name.startsWith(other) ? process.env["BENCH_OTHER"] : undefined) ?? root;

/** A contender that the engine runs, with a stack and a service of its own. */
export class Contender {
  private isEdited = false;

  private constructor(
    private readonly name: Name,
    private readonly size: Case,
    private readonly folder: string,
    private readonly service: BenchService,
    private readonly backEnd: BackEnd,
  ) {}

  static async open(name: Name, size: Case): Promise<Contender> {
    const checkout = checkoutOf(name);
    const service = await BenchService.start(size);
    const folder = mkdtempSync(join(tmpdir(), "frontdoor-bench-"));
    cpSync(join(__dirname, "program"), folder, { recursive: true });
    symlinkSync(join(checkout, "node_modules"), join(folder, "node_modules"));
    mkdirSync(join(folder, "state"));
    writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "bench", main: "index.js" }));
    writeFileSync(join(folder, "Pulumi.yaml"), JSON.stringify({ name: "bench", runtime: "nodejs" }));
    const contender = new Contender(name, size, folder, service, inFolder(join(folder, "state")));
    await contender.pulumi("stack", "init", "test");
    return contender;
  }

  /** Runs a command that has to succeed. */
  async run(command: Command): Promise<Cost> {
    await this.service.requests();
    const flags = command === "preview" ? [] : ["--yes", "--skip-preview"];
    this.isEdited ||= command === "edit";
    const used = await this.pulumi(
      command === "edit" ? "up" : command,
      ...flags,
      ...["--stack", "test", "--parallel", String(this.size.parallel)],
    );
    const stateBytes = Buffer.byteLength(this.backEnd.read("bench", "test"));
    return { ...used, requests: await this.service.requests(), stateBytes };
  }

  /** The longest a share of the state is, as JSON without white space; of those of a set what each is of it. */
  shareBytes(): number {
    const text = this.backEnd.read("bench", "test");
    const { checkpoint } = JSON.parse(text) as { checkpoint: { latest: { resources: { urn: string }[] } } };
    const { resources } = checkpoint.latest;
    const set = resources.find(({ urn }) => urn.endsWith("::shares"));
    if (set) return Math.round(JSON.stringify(set).length / this.size.shares);
    const shares = resources.filter(({ urn }) => urn.includes("::share-"));
    return Math.max(0, ...shares.map((share) => JSON.stringify(share).length));
  }

  close(): void {
    this.service.stop();
    removeFolder(this.folder);
  }

  private pulumi(...args: string[]): Promise<Watched & { wallMs: number; text: string }> {
    const env = {
      ...engineEnvironment(this.folder, this.backEnd),
      ...(this.size.checkpoints ? {} : { PULUMI_SKIP_CHECKPOINTS: "true" }),
      PATH: [join(__dirname, "hello"), join(checkoutOf(this.name), "dist", "plugin"), process.env["PATH"]].join(
        delimiter,
      ),
      FRONTDOOR_BASE_URL: this.service.baseUrl,
      FRONTDOOR_ID: "fd-1",
      FRONTDOOR_TOKEN: "emulator-token",
      // More than any run sends: the provider is measured, not its courtesy to the service.
      FRONTDOOR_REQUESTS_PER_SECOND: "10000",
      BENCH_CONTENDER: this.name.replace(other, ""),
      BENCH_SHARES: String(this.size.shares),
      BENCH_EDITED: this.isEdited ? "1" : "",
      BENCH_PROVISION_SECONDS: String(this.size.provisionSeconds),
    };
    return timed(`${this.name}: pulumi ${args.join(" ")}`, () => startPulumi(args, { cwd: this.folder, env }));
  }
}
