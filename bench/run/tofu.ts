import { cpSync, mkdtempSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { start } from "../../tests/harness/command";
import { removeFolder } from "../../tests/harness/folder";
import type { Command, Cost, Size } from "./contender";
import { type Behaviour, BenchService } from "./service";
import { timed } from "./usage";

const commands: Record<Command, string[]> = {
  up: ["apply", "-auto-approve"],
  preview: ["plan"],
  edit: ["apply", "-auto-approve"],
  refresh: ["apply", "-refresh-only", "-auto-approve"],
  destroy: ["destroy", "-auto-approve"],
};

/** OpenTofu and the REST provider of Mastercard, where the environment says which files they are. */
export const { TOFU_BIN: tofu, RESTAPI_PROVIDER: restapi } = process.env;

/** OpenTofu as a contender, with a state and a service of its own. It knows of no checkpoints: it saves every few seconds. */
export class Tofu {
  private isEdited = false;

  private constructor(
    private readonly size: Size,
    private readonly folder: string,
    private readonly service: BenchService,
  ) {}

  static async open(size: Size, behaviour: Behaviour): Promise<Tofu> {
    const service = await BenchService.start(behaviour);
    const folder = mkdtempSync(join(tmpdir(), "frontdoor-bench-"));
    cpSync(join(__dirname, "programs", "tofu"), folder, { recursive: true });
    const provider = JSON.stringify(dirname(restapi ?? ""));
    const found = `provider_installation {\n  dev_overrides {\n    "mastercard/restapi" = ${provider}\n  }\n}\n`;
    writeFileSync(join(folder, "tofu.rc"), found);
    return new Tofu(size, folder, service);
  }

  /** Runs a command that has to succeed. */
  async run(command: Command): Promise<Cost> {
    await this.service.requests();
    this.isEdited ||= command === "edit";
    const args = [...commands[command], "-no-color", "-input=false", `-parallelism=${this.size.parallel}`];
    const env = {
      ...process.env,
      TF_CLI_CONFIG_FILE: join(this.folder, "tofu.rc"),
      TF_VAR_base_url: this.service.baseUrl,
      TF_VAR_token: "emulator-token",
      TF_VAR_shares: String(this.size.shares),
      TF_VAR_edited: String(this.isEdited),
    };
    const used = await timed(`tofu ${args.join(" ")}`, () => start(tofu ?? "", args, { cwd: this.folder, env }));
    const stateBytes = statSync(this.state).size;
    return { ...used, requests: await this.service.requests(), stateBytes, storedBytes: stateBytes };
  }

  /** The longest a share of the state is, as JSON without white space. */
  shareBytes(): number {
    const { resources } = JSON.parse(readFileSync(this.state, "utf8")) as { resources: { instances: object[] }[] };
    return Math.max(...resources.flatMap(({ instances }) => instances).map((share) => JSON.stringify(share).length));
  }

  close(): void {
    this.service.stop();
    removeFolder(this.folder);
  }

  private get state(): string {
    return join(this.folder, "terraform.tfstate");
  }
}
