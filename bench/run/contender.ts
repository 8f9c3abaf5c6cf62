import { cpSync, mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import type { RequestEntry } from "../../emulator/request-log";
import { startPulumi } from "../../tests/harness/command";
import { engineEnvironment } from "../../tests/harness/environment";
import { removeFolder, root } from "../../tests/harness/folder";
import { pathWithPlugin } from "../../tests/harness/plugin";
import { findPostgres, Postgres } from "../../tests/harness/postgres";
import { type BackEnd, inFolder } from "../../tests/harness/state";
import { type Behaviour, BenchService } from "./service";
import { timed, type Watched } from "./usage";

/**
 * The engine's floor, what is written today without a package, and this package, each by the dynamic host; then the floor of plugins
 * and this package's one; then all shares as one set, by the dynamic host and by the plugin; then this package with its states in
 * PostgreSQL, where all others have them in files; last OpenTofu with a REST provider.
 */
export const names = ["floor", "naive", "ours", "hello", "plugin", "set", "pluginSet", "onPostgres", "tofu"] as const;
export type Name = (typeof names)[number];

/** `edit` is an up after one share has changed. */
export const commands = ["up", "preview", "edit", "refresh", "destroy"] as const;
export type Command = (typeof commands)[number];

export interface Size {
  shares: number;
  parallel: number;
  /** False: `PULUMI_SKIP_CHECKPOINTS`, fast mode. */
  checkpoints: boolean;
  /** Otherwise more than any run sends: what is measured is the provider, not its courtesy to the service. */
  hasDefaultCeiling?: true;
}

/** What one command cost. */
export interface Cost extends Watched {
  wallMs: number;
  requests: RequestEntry[];
  /** What it printed. */
  text: string;
  /** Of the state, after it. */
  stateBytes: number;
  /** Of all that its back end keeps on disk, after it. */
  storedBytes: number;
}

/** A contender that the engine runs, with a stack and a service of its own. */
export class Contender {
  private isEdited = false;

  private constructor(
    private readonly name: Name,
    private readonly size: Size,
    private readonly behaviour: Behaviour,
    private readonly folder: string,
    private readonly service: BenchService,
    private readonly backEnd: BackEnd,
    private readonly server: Postgres | undefined,
  ) {}

  static async open(name: Exclude<Name, "tofu">, size: Size, behaviour: Behaviour): Promise<Contender> {
    const service = await BenchService.start(behaviour);
    const folder = mkdtempSync(join(tmpdir(), "frontdoor-bench-"));
    cpSync(join(__dirname, "programs"), folder, { recursive: true });
    symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
    mkdirSync(join(folder, "state"));
    // The state names the files of a program: it has to be the same one.
    const program = name === "onPostgres" ? "ours" : name;
    writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "bench", main: `${program}.js` }));
    writeFileSync(join(folder, "Pulumi.yaml"), JSON.stringify({ name: "bench", runtime: "nodejs" }));
    const server = name === "onPostgres" ? await startPostgres() : undefined;
    const backEnd = server?.table() ?? inFolder(join(folder, "state"));
    const contender = new Contender(name, size, behaviour, folder, service, backEnd, server);
    await contender.pulumi("stack", "init", "test");
    return contender;
  }

  /** The cost of one `up` by a contender that is opened for it and closed. */
  static async costOfUp(...given: Parameters<typeof Contender.open>): Promise<Cost> {
    const contender = await Contender.open(...given);
    try {
      return await contender.run("up");
    } finally {
      await contender.close();
    }
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
    const storedBytes = this.backEnd.storedBytes();
    return { ...used, requests: await this.service.requests(), stateBytes, storedBytes };
  }

  /** The longest a share of the state is, as JSON without white space; of those of a set what each is of it. */
  shareBytes(): number {
    const text = this.backEnd.read("bench", "test");
    const { checkpoint } = JSON.parse(text) as { checkpoint: { latest: { resources: { urn: string }[] } } };
    const { resources } = checkpoint.latest;
    const set = resources.find(({ urn }) => urn.endsWith("::shares"));
    if (set) return Math.round(JSON.stringify(set).length / this.size.shares);
    const shares = resources.filter(({ urn }) => urn.includes("::share-"));
    return Math.max(...shares.map((share) => JSON.stringify(share).length));
  }

  async close(): Promise<void> {
    this.service.stop();
    await this.server?.stop();
    removeFolder(this.folder);
  }

  private pulumi(...args: string[]): Promise<Watched & { wallMs: number; text: string }> {
    const env = {
      ...engineEnvironment(this.folder, this.backEnd),
      ...(this.size.checkpoints ? {} : { PULUMI_SKIP_CHECKPOINTS: "true" }),
      PATH: [join(__dirname, "hello"), pathWithPlugin].join(delimiter),
      FRONTDOOR_BASE_URL: this.service.baseUrl,
      FRONTDOOR_ID: "fd-1",
      FRONTDOOR_TOKEN: "emulator-token",
      ...(!this.size.hasDefaultCeiling && { FRONTDOOR_REQUESTS_PER_SECOND: "10000" }),
      BENCH_SHARES: String(this.size.shares),
      BENCH_EDITED: this.isEdited ? "1" : "",
      BENCH_PROVISION_SECONDS: String(this.behaviour.provisionSeconds),
    };
    return timed(`${this.name}: pulumi ${args.join(" ")}`, () => startPulumi(args, { cwd: this.folder, env }));
  }
}

function startPostgres(): Promise<Postgres> {
  const bin = findPostgres();
  if (bin === undefined) throw new Error("There is no PostgreSQL server, and it can't be installed");
  return Postgres.start(bin);
}
