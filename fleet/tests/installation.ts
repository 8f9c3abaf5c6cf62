import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stringify } from "yaml";
import { type Emulator, type Settings, startEmulator } from "../../emulator";
import { descendants, kill, type Process, type Running, start } from "../../tests/harness/command";
import { root } from "../../tests/harness/folder";
import { buildIn } from "../build";
import type { FleetFile } from "../src/fleet";
import type { Report } from "../src/operation";
import { Temporal } from "./stage";

/** One tunnel and one share. */
const program = `const pulumi = require("@pulumi/pulumi");
const { IpsecSite } = require("pulumi-frontdoor");
const config = new pulumi.Config();
const number = config.requireNumber("number");
if (config.get("fails")) throw new Error(\`the note is \${config.get("note")}\`);
const site = new IpsecSite("site", {
  peerPublicIp: \`203.0.113.\${number}\`,
  peerCidr: \`10.\${number}.0.0/16\`,
  locationId: \`location-\${number}\`,
  envZId: "env-1",
  shares: { service: { target: "service.internal:443", ingressPort: 1000 } },
});
exports.sampleConfig = site.sampleConfig;
exports.note = config.getSecret("note");
`;

const fleetName = "tested";

/** A whole installation on this machine, in a folder of its own: Temporal, workers, an emulator, a backend of files. */
export class Installation {
  readonly folder = mkdtempSync(join(tmpdir(), "frontdoor-fleet-"));
  readonly token = `token-${crypto.randomUUID()}`;
  readonly passphrase = `passphrase-${crypto.randomUUID()}`;
  readonly workers: Running[] = [];
  readonly temporal = new Temporal(this.folder);
  /** The file of `frontdoor-fleet`. */
  readonly command = buildIn(this.folder);
  private readonly env: NodeJS.ProcessEnv;

  private constructor(readonly emulator: Emulator) {
    const kept = Object.entries(process.env).filter(([name]) => !/^(PULUMI|FRONTDOOR|TEMPORAL)_/.test(name));
    this.env = {
      ...Object.fromEntries(kept),
      PULUMI_HOME: join(this.folder, "pulumi"),
      PULUMI_BACKEND_URL: `file://${join(this.folder, "state")}?metadata=skip`,
      PULUMI_CONFIG_PASSPHRASE: this.passphrase,
      FRONTDOOR_STATE_DIR: join(this.folder, "records"),
      SITE_TOKEN: this.token,
      // A test looks for secrets in Temporal's database.
      FRONTDOOR_FLEET_KEY: "none",
      // Half the processor time of a run: what the tests on the engine do, too.
      NODE_OPTIONS: `--require=${JSON.stringify(join(root, "tests", "harness", "javascript.cjs"))}`,
    };
  }

  /** Starts Temporal, and an emulator whose only token opens these front doors; no worker yet. */
  static async open(frontDoors: string[], settings: Partial<Settings>): Promise<Installation> {
    const installation = new Installation(await startEmulator(settings));
    const { folder, temporal, env } = installation;
    installation.opens(frontDoors);
    const site = join(folder, "programs", "site");
    for (const path of [join(folder, "state"), join(folder, "pulumi"), site]) mkdirSync(path, { recursive: true });
    writeFileSync(join(site, "index.js"), program);
    writeFileSync(join(site, "package.json"), '{ "main": "index.js" }');
    writeFileSync(join(site, "Pulumi.yaml"), "name: fleet-site\nruntime: nodejs\n");
    try {
      await temporal.start();
      env["TEMPORAL_ADDRESS"] = temporal.address;
      return installation;
    } catch (error) {
      await installation.close();
      throw error;
    }
  }

  /** The token opens these front doors from now on. */
  opens(frontDoors: string[]): void {
    this.emulator.settings.tokens = { [this.token]: frontDoors };
  }

  /** The defaults of a fleet file. */
  defaults(more: Record<string, string> = {}): FleetFile["defaults"] {
    return {
      program: "programs/site",
      config: { "frontdoor:baseUrl": this.emulator.baseUrl, "frontdoor:requestTimeout": "2" },
      secrets: { "frontdoor:token": "env:SITE_TOKEN", ...more },
    };
  }

  /** Starts a worker and waits until it works. */
  async startWorker(more: NodeJS.ProcessEnv = {}, ...options: string[]): Promise<Running> {
    const args = [
      ...[this.command, "worker", "--root", this.folder, "--fleet", fleetName, "--max-stacks", "2"],
      ...["--allow-secret", "env:SITE_TOKEN", "--allow-secret", "env:NOTE"],
      ...["--allow-url", this.emulator.baseUrl, "--allow-variable", "NODE_OPTIONS", ...options],
    ];
    const worker = start("node", args, { cwd: this.folder, env: { ...this.env, ...more } });
    this.workers.push(worker);
    await worker.says(/stacks at a time/);
    return worker;
  }

  /** Writes the fleet file. */
  fleet(file: Omit<FleetFile, "name">): void {
    writeFileSync(join(this.folder, "fleet.yaml"), stringify({ name: fleetName, ...file }));
  }

  /** Starts a command of `frontdoor-fleet`. */
  start(...args: string[]): Running {
    return start("node", [this.command, ...args], { cwd: this.folder, env: { ...this.env, NODE_OPTIONS: "" } });
  }

  /** Runs an operation to its end. */
  async run(...args: string[]): Promise<{ code: number; report: Report; said: string }> {
    const { code, stdout, stderr } = await this.start("--json", ...args).end;
    if (stdout === "") throw new Error(`no report:\n${stderr}`);
    return { code, report: JSON.parse(stdout) as Report, said: stderr };
  }

  /** What was sent to change something: method, front door, path and name. Refused requests do not count. */
  writes(): string[] {
    return this.emulator.requests
      .filter(({ method, status }) => method !== "GET" && status !== 403)
      .map(({ method, frontdoorId, path, body }) =>
        [method, frontdoorId, path, (body as { name?: string } | undefined)?.name ?? ""].join(" "),
      );
  }

  /** What the emulator has. */
  alive(): { name: string; status: string; id: string }[] {
    const { emulator } = this;
    return [...emulator.tunnels(), ...emulator.shares()].filter(({ status }) => status !== "DELETED");
  }

  /** The engines that workers have under way. */
  engines(workers = this.workers): Process[] {
    const under = workers.flatMap(({ pid }) => descendants(pid));
    return under.filter(({ command }) => /^\S*pulumi (up|destroy|refresh|preview)/.test(command));
  }

  /** Ends all that was started here, and removes the folder. */
  async close(): Promise<void> {
    for (const { pid } of this.workers) kill(pid, "SIGTERM");
    await Promise.all(this.workers.map(({ end }) => end));
    await Promise.all([this.temporal.kill(), this.emulator.close()]);
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }
}
