import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { type Emulator, startEmulator } from "../../emulator";
import { start, well } from "../harness/command";
import { engineEnvironment, serviceEnvironment } from "../harness/environment";
import { removeFolder } from "../harness/folder";
import { packInto } from "../harness/packed";
import { instantiate, made } from "../templates/instance";

interface Manager {
  name: string;
  install: string[];
  /** Settings that it needs, by file. */
  files?: Record<string, string>;
  /** Starts a command that is to find what is installed; without, node_modules/.bin on the path does. */
  runner?: string[];
}

const yarnrc = "enableTelemetry: false\nenableImmutableInstalls: false\n";
const managers: Manager[] = [
  { name: "npm", install: ["npm", "install", "--no-audit", "--no-fund"] },
  {
    name: "pnpm",
    install: ["pnpm", "install"],
    // The one package whose install script asks to be run: it runs as well without.
    files: { "pnpm-workspace.yaml": "allowBuilds:\n  protobufjs: false\n" },
  },
  {
    name: "yarn with node_modules",
    install: ["yarn", "install"],
    files: { ".yarnrc.yml": `${yarnrc}nodeLinker: node-modules\n`, "yarn.lock": "" },
  },
  {
    name: "yarn with Plug'n'Play",
    install: ["yarn", "install"],
    // With its loader of ES modules ts-node, by which Pulumi runs TypeScript, does not start on Node 22.
    files: { ".yarnrc.yml": `${yarnrc}nodeLinker: pnp\npnpEnableEsmLoader: false\n`, "yarn.lock": "" },
    runner: ["yarn", "exec"],
  },
];

const registry = execFileSync("npm", ["config", "get", "registry"], { encoding: "utf8" }).trim();
const isThere = spawnSync("npm", ["view", "pnpm", "version", "--fetch-retries=0"], { timeout: 60_000 }).status === 0;

const folder = mkdtempSync(join(tmpdir(), "frontdoor-install-"));
const tools = join(folder, "tools");
let tarball: string;
let emulator: Emulator;

beforeAll(async () => {
  emulator = await startEmulator({ provisionMs: 300, teardownMs: 100, token: "very-secret-token" });
  tarball = packInto(folder);
  if (!isThere) return;
  for (const [node, version] of [
    ["node-22", "22"],
    ["node-24", "24"],
  ] as const) {
    mkdirSync(join(tools, node), { recursive: true });
    execFileSync("npm", ["install", "--prefix", join(tools, node), `node@${version}`], { stdio: "pipe" });
  }
  execFileSync("npm", ["install", "--prefix", tools, "pnpm", "@yarnpkg/cli-dist"], { stdio: "pipe" });
});
afterAll(async () => {
  await emulator.close();
  removeFolder(folder);
});

/** The environment of a user who has this Node, and nothing of the repository's but the engine. */
function environment(work: string, node: string): Record<string, string | undefined> {
  const own = (process.env["PATH"] ?? "").split(delimiter).filter((path) => !path.includes("node_modules"));
  const bins = [join(tools, node, "node_modules", "node", "bin"), join(tools, "node_modules", ".bin")];
  return {
    ...engineEnvironment(work),
    PATH: [...bins, ...own].join(delimiter),
    YARN_NPM_REGISTRY_SERVER: registry,
    npm_config_registry: registry,
    ...serviceEnvironment(emulator),
  };
}

(isThere ? it : it.skip).each(managers)(
  "installed by $name, a project comes up on Node 22 and is found unchanged, by the plugin too, and destroyed on Node 24",
  async ({ name, install, files = {}, runner = [] }) => {
    emulator.reset();
    const work = join(folder, name.replaceAll(/\W+/g, "-"));
    mkdirSync(join(work, "state"), { recursive: true });
    const project = await instantiate("typescript", { cwd: work, env: environment(work, "node-24") });
    const manifest = readFileSync(join(project, "package.json"), "utf8");
    writeFileSync(join(project, "package.json"), manifest.replace("^0.1.0", `file:${tarball}`));
    for (const [file, content] of Object.entries(files)) writeFileSync(join(project, file), content);
    const run = async (node: string, ...words: string[]) => {
      const env = environment(work, node);
      const path = [join(project, "node_modules", ".bin"), env["PATH"]].join(delimiter);
      const [command = "", ...args] = words;
      return well(await start(command, args, { cwd: project, env: { ...env, PATH: path } }).end);
    };
    const pulumi = (node: string, ...args: string[]) =>
      run(node, ...runner, "pulumi", ...args, "--non-interactive", "--color", "never");

    await run("node-24", ...install);
    expect(existsSync(join(project, "node_modules", "pulumi-frontdoor"))).toBe(runner.length === 0);
    for (const major of [22, 24])
      expect((await run(`node-${major}`, "node", "--version")).stdout).toMatch(new RegExp(`^v${major}\\.`));

    await pulumi("node-22", "stack", "init", "dev");
    await pulumi("node-22", "up", "--yes", "--skip-preview");
    const writes = emulator.requests.splice(0).filter(({ method }) => method !== "GET");
    expect(writes.map(({ method, path }) => `${method} ${path}`)).toEqual(made);
    await pulumi("node-24", "preview", "--expect-no-changes");
    const program = join(project, "index.ts");
    writeFileSync(program, readFileSync(program, "utf8").replace('"pulumi-frontdoor"', '"pulumi-frontdoor/plugin"'));
    await pulumi("node-24", "preview", "--expect-no-changes");
    writeFileSync(program, readFileSync(program, "utf8").replace("/plugin", ""));
    await pulumi("node-24", "destroy", "--yes", "--skip-preview");
    expect([...emulator.tunnels(), ...emulator.shares()].filter(({ status }) => status !== "DELETED")).toEqual([]);
  },
);
