import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { type Emulator, startEmulator } from "../../emulator";
import { type Ended, type Running, type Where, start, startPulumi, well } from "./command";
import { engineEnvironment, quick, serviceEnvironment } from "./environment";
import { removeFolder, root, installPacked } from "./folder";
import { spellings } from "./leaks";

/** Examples as users copy them: folders of their own outside the repository, with the packed package and one Pulumi back end. */
export class Copies {
  readonly folder = mkdtempSync(join(tmpdir(), "frontdoor-examples-"));
  /** Laid over the environment of every command. */
  readonly env: Record<string, string>;
  /** Those whose program has run: its types need no second check, which is half of a run. */
  private readonly checked = new Set<string>();

  private constructor(readonly emulator: Emulator) {
    this.env = serviceEnvironment(emulator);
    mkdirSync(join(this.folder, "state"));
    installPacked(this.folder);
  }

  static async open(token = "very-secret-token"): Promise<Copies> {
    return new Copies(await startEmulator({ provisionMs: 300, teardownMs: 100, token }));
  }

  /** Copies one example, whole. */
  copy(name: string): string {
    const folder = join(this.folder, name);
    cpSync(join(root, "examples", name), folder, { recursive: true });
    symlinkSync(join(this.folder, "node_modules"), join(folder, "node_modules"));
    return folder;
  }

  /** Starts a command in the copy of an example. */
  start(example: string, command: string, ...args: string[]): Running {
    return start(command, args, this.where(example));
  }

  startPulumi(example: string, ...args: string[]): Running {
    return startPulumi(args, this.where(example));
  }

  /** The same with its end awaited. */
  async pulumi(example: string, ...args: string[]): Promise<Ended> {
    const ended = await this.startPulumi(example, ...args).end;
    if (["preview", "up"].includes(args[0] ?? "") && ended.code === 0) this.checked.add(example);
    return ended;
  }

  private where(example: string) {
    const own = engineEnvironment(this.folder);
    const modules = join(this.folder, "node_modules");
    // The commands of the packed package are no links, as npm would make them.
    const plugin = join(modules, "pulumi-frontdoor", "dist", "plugin");
    const path = [plugin, join(modules, ".bin"), own["PATH"] ?? ""].join(delimiter);
    const unchecked = this.checked.has(example) && { PULUMI_NODEJS_TRANSPILE_ONLY: "true" };
    const env = { ...own, PATH: path, NODE_OPTIONS: quick, ...unchecked, ...this.env };
    return { cwd: join(this.folder, example), env };
  }

  /** The requests that wrote something since the last call, such as `POST /ipsec-tunnels`. */
  writes(): string[] {
    const requests = this.emulator.requests.splice(0).filter(({ method }) => method !== "GET");
    return requests.map(({ method, path }) => `${method} ${path}`);
  }

  async close(): Promise<void> {
    await this.emulator.close();
    removeFolder(this.folder);
  }
}

/** What the quickstart of every other language makes. */
export const made = ["POST /ipsec-tunnels", "POST /ipsec-shares", "POST /ipsec-shares"];

/** What every template makes. */
export const madeOfTemplate = ["POST /ipsec-tunnels", "POST /ipsec-shares"];

/** What a user answers to the questions of each template, besides the front door and its credentials. */
export const answers = {
  envZId: "env-agent-1",
  ingressPort: "8443",
  locationId: "us-east-1",
  peerCidr: "172.31.0.0/16",
  peerPublicIp: "203.0.113.1",
  target: "10.20.100.1:8443",
};

/** The answers, as flags of `pulumi new` (`--config`) or of `pulumi config set-all` (`--plaintext`). */
export const answersAs = (flag: "--config" | "--plaintext") =>
  Object.entries(answers).flatMap(([name, value]) => [flag, `${name}=${value}`]);

/** Makes a project of a template, as `pulumi new` does, in a folder of its name. */
export async function instantiate(template: "typescript" | "python" | "yaml", { cwd, env }: Where): Promise<string> {
  const folder = join(cwd, template);
  const names = ["--name", `from-${template}`, "--description", "A project of a template"];
  const flags = ["--generate-only", "--yes", "--dir", folder];
  well(await startPulumi(["new", join(root, "templates", template), ...names, ...flags], { cwd, env }).end);
  const project = readFileSync(join(folder, "Pulumi.yaml"), "utf8");
  if (!project.startsWith(`name: from-${template}\ndescription: A project of a template\n`)) throw new Error(project);
  return folder;
}

export const outputsOf = async (copies: Copies, example: string) =>
  JSON.parse(well(await copies.pulumi(example, "stack", "output", "--json")).stdout) as Record<string, unknown>;

/** Brings an example up in a new stack, finds nothing to change afterwards, and returns what the run wrote. */
export async function bringUp(copies: Copies, example: string): Promise<string[]> {
  well(await copies.pulumi(example, "stack", "init", "dev"));
  well(await copies.pulumi(example, "up", "--yes", "--skip-preview"));
  const writes = copies.writes();
  well(await copies.pulumi(example, "preview", "--expect-no-changes"));
  return writes;
}

export async function destroy(copies: Copies, example: string): Promise<void> {
  well(await copies.pulumi(example, "destroy", "--yes", "--skip-preview"));
  const left = [...copies.emulator.tunnels(), ...copies.emulator.shares()];
  expect(left.filter(({ status }) => status !== "DELETED")).toEqual([]);
}

/** A shell of a user's: commands are pasted, one block after the other, into one folder with an emulator beside it. */
export class Shell {
  /** What each pasted block printed since the last look for leaks. */
  private readonly said: string[] = [];
  private cwd: string;
  private readonly env: Record<string, string | undefined>;

  private constructor(readonly copies: Copies) {
    this.cwd = copies.folder;
    const modules = join(copies.folder, "node_modules");
    const own = join(copies.folder, "bin");
    mkdirSync(own);
    symlinkSync(join(modules, "pulumi-frontdoor", "dist", "cli.js"), join(own, "pulumi-frontdoor"));
    // Dependencies are in place, and dist/, which other tests read, is built: a file to install must be there, and a pack builds nothing.
    writeFileSync(join(own, "npm"), npmOn(own), { mode: 0o755 });
    // What stands in the project's own folder of commands.
    writeFileSync(join(own, "npx"), '#!/bin/sh\nexec "$@"\n', { mode: 0o755 });
    const engine = engineEnvironment(copies.folder);
    const plugin = join(modules, "pulumi-frontdoor", "dist", "plugin");
    const path = [own, plugin, join(modules, ".bin"), engine["PATH"] ?? ""].join(delimiter);
    this.env = { ...engine, PATH: path, NODE_OPTIONS: quick, PULUMI_NON_INTERACTIVE: "1", ...copies.env };
  }

  static async open(): Promise<Shell> {
    return new Shell(await Copies.open());
  }

  /** Goes to a folder below the one of all. */
  go(...folder: string[]): string {
    this.cwd = join(this.copies.folder, ...folder);
    mkdirSync(this.cwd, { recursive: true });
    return this.cwd;
  }

  /** Pastes a block, with something on its standard input. It stops at the first command that fails. */
  async paste(code: string, input = ""): Promise<Ended> {
    const typed = join(this.copies.folder, "typed");
    writeFileSync(typed, input);
    const args = ["-c", 'exec bash -c "$0" < "$1"', `set -eo pipefail\n${code}`, typed];
    const ended = await start("bash", args, { cwd: this.cwd, env: this.env }).end;
    this.said.push(ended.text);
    return well(ended);
  }

  /** Goes to a folder with this project in it, a stack of its own and what is installed. */
  async project(name: string, program = ""): Promise<string> {
    const folder = this.go(name);
    symlinkSync(join(this.copies.folder, "node_modules"), join(folder, "node_modules"));
    writeFileSync(join(folder, "Pulumi.yaml"), `name: ${name}\nruntime: nodejs\n`);
    writeFileSync(join(folder, "package.json"), JSON.stringify({ main: "index.ts" }));
    writeFileSync(join(folder, "index.ts"), program);
    await this.paste("pulumi stack init dev");
    return folder;
  }

  /** The files and the output with a key or a token. Files of a remote site's device, which the pages say contain the key, do not count. */
  leaks(): string[] {
    const { folder, emulator } = this.copies;
    const secrets = [emulator.token, ...emulator.tunnels().map(({ id }) => emulator.samplePsk(id))].flatMap(spellings);
    const isLeak = (text: string) => secrets.some((secret) => text.includes(secret));
    const files = readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((entry) => {
      const path = join(entry.parentPath, entry.name);
      const isLeft = entry.isFile() && !/[\\/](node_modules|typed$)|\.conf$/.test(path);
      return isLeft && isLeak(readFileSync(path, "latin1")) ? path : [];
    });
    return [...files, ...this.said.splice(0).filter(isLeak)];
  }

  close(): Promise<void> {
    return this.copies.close();
  }
}

/** Opens a shell for the tests of a file, each with an empty front door. What they paste leaves no key and no token, in no output and no file. */
export function useShell(onOpen: (shell: Shell) => void): void {
  let shell: Shell;
  beforeAll(async () => {
    shell = await Shell.open();
    onOpen(shell);
  });
  beforeEach(() => {
    shell.copies.emulator.reset();
  });
  afterEach(() => {
    expect(shell.leaks()).toEqual([]);
  });
  afterAll(() => shell.close());
}

/** npm without a registry, for a folder of commands that is first on the path. */
const npmOn = (own: string) => `#!/bin/sh
case "$1" in
  ci|install)
    for each; do
      case "$each" in
        pulumi-frontdoor) echo "npm: no registry has $each" >&2; exit 1 ;;
        *.tgz) test -f "$each" || { echo "npm: there is no $each" >&2; exit 1; } ;;
      esac
    done
    exit ;;
  run)
    unset NODE_OPTIONS ;;
esac
PATH=\${PATH#${own}:} exec npm "$@"
`;
