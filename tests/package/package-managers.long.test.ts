import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync, cpSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join, dirname } from "node:path";
import { type Emulator, startEmulator } from "../../emulator";
import { type Ended, start, well } from "../harness/command";
import { engineEnvironment, serviceEnvironment } from "../harness/environment";
import { removeFolder, root, packInto } from "../harness/folder";
import { needs } from "../harness/needs";
import { answersAs, instantiate, madeOfTemplate } from "../harness/copies";

let emulator: Emulator;

describe("package managers", () => {
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

  /** A project of the template, and commands in it. */
  interface Project {
    folder: string;
    run: (cwd: string, node: string, ...words: string[]) => Promise<Ended>;
    pulumi: (node: string, ...args: string[]) => Promise<Ended>;
  }

  async function projectOf({ files = {}, runner = [] }: Manager, work: string): Promise<Project> {
    emulator.reset();
    mkdirSync(join(work, "state"), { recursive: true });
    const project = await instantiate("typescript", { cwd: work, env: environment(work, "node-24") });
    const manifest = JSON.parse(readFileSync(join(project, "package.json"), "utf8")) as Manifest;
    manifest.dependencies["pulumi-frontdoor"] = `file:${tarball}`;
    writeFileSync(join(project, "package.json"), JSON.stringify(manifest));
    for (const [file, content] of Object.entries(files)) writeFileSync(join(project, file), content);
    const run = async (cwd: string, node: string, ...words: string[]) => {
      const env = environment(work, node);
      const bins = [join(project, "node_modules", ".bin")];
      const [command = "", ...args] = words;
      const path = [...bins, env["PATH"]].join(delimiter);
      return well(await start(command, args, { cwd, env: { ...env, PATH: path } }).end);
    };
    const pulumi = (node: string, ...args: string[]) =>
      run(project, node, ...runner, "pulumi", ...args, "--non-interactive", "--color", "never");
    return { folder: project, run, pulumi };
  }

  interface Manifest {
    dependencies: Record<string, string>;
  }

  const configure = ["config", "set-all", ...answersAs("--plaintext")];
  const up = ["up", "--yes", "--skip-preview"];
  const destroy = ["destroy", "--yes", "--skip-preview"];
  const writes = () =>
    emulator.requests
      .splice(0)
      .filter(({ method }) => method !== "GET")
      .map(({ method, path }) => `${method} ${path}`);
  const live = () => [...emulator.tunnels(), ...emulator.shares()].filter(({ status }) => status !== "DELETED");
  const itHere = needs("a registry of npm", isThere) ? it : it.skip;

  itHere.each(managers)(
    "installed by $name, a project comes up on Node 22 and is found unchanged, by the plugin too, and destroyed on Node 24",
    async (manager) => {
      const { name, install, runner = [] } = manager;
      const project = await projectOf(manager, join(folder, name.replaceAll(/\W+/g, "-")));
      const { run, pulumi, folder: top } = project;
      await run(top, "node-24", ...install);
      expect(existsSync(join(top, "node_modules", "pulumi-frontdoor"))).toBe(runner.length === 0);
      expect(existsSync(join(top, "node_modules", "@pulumi", "policy"))).toBe(false);
      for (const major of [22, 24])
        expect((await run(top, `node-${major}`, "node", "--version")).stdout).toMatch(new RegExp(`^v${major}\\.`));

      await pulumi("node-22", "stack", "init", "dev");
      await pulumi("node-22", ...configure);
      await pulumi("node-22", ...up);
      expect(writes()).toEqual(madeOfTemplate);
      await pulumi("node-24", "preview", "--expect-no-changes");
      const program = join(project.folder, "index.ts");
      writeFileSync(program, readFileSync(program, "utf8").replace('"pulumi-frontdoor"', '"pulumi-frontdoor/plugin"'));
      await pulumi("node-24", "preview", "--expect-no-changes");
      writeFileSync(program, readFileSync(program, "utf8").replace("/plugin", ""));
      await pulumi("node-24", ...destroy);
      expect(live()).toEqual([]);
    },
  );
});

describe("project setups", () => {
  /** The set-ups of docs/reference/project-set-ups.md. */
  interface Setup {
    name: string;
    /** Fields of package.json, the lines of `runtime` in Pulumi.yaml, and more files. */
    manifest?: object;
    runtime: string;
    files?: Record<string, string>;
    /** The folder of Pulumi.yaml. */
    folder?: string;
    /** A command before `pulumi`. */
    before?: string[];
  }

  const compilerOptions = { target: "es2022", module: "nodenext", strict: true, skipLibCheck: true };

  const esmConfig = JSON.stringify({ compilerOptions, files: ["index.ts"] });

  const esm = { type: "module", main: "index.ts" };

  const runtime = (...options: string[]) =>
    ["runtime:", "  name: nodejs", "  options:", ...options.map((option) => `    ${option}`)].join("\n");

  const setups: Setup[] = [
    {
      name: "ES module with ts-node",
      manifest: esm,
      runtime: runtime('nodeargs: "--import ./register.mjs"'),
      files: {
        "tsconfig.json": esmConfig,
        "register.mjs":
          'import { register } from "node:module";\nimport { pathToFileURL } from "node:url";\nregister("ts-node/esm", pathToFileURL("./"));\n',
      },
    },
    {
      name: "ES module with tsx",
      manifest: esm,
      runtime: runtime("typescript: false", 'nodeargs: "--import tsx"'),
      files: { "tsconfig.json": esmConfig },
    },
    { name: "ES module with type stripping", manifest: esm, runtime: runtime("typescript: false") },
    { name: "workspace", runtime: "runtime: nodejs", manifest: { main: "index.ts" }, folder: "packages/site" },
    {
      name: "bundle",
      manifest: { main: "bundle.cjs" },
      runtime: runtime("typescript: false"),
      before: [
        ...["esbuild", "index.ts", "--bundle", "--platform=node", "--outfile=bundle.cjs", "--log-level=error"],
        ...["--external:@pulumi/pulumi", "--external:pulumi-frontdoor"],
      ],
    },
  ];

  const majors = ["22", "24", "26"];

  const typeScripts = ["5.0", "5.4", "5.9", "6"];

  const isThere = spawnSync("npm", ["view", "tsx", "version", "--fetch-retries=0"], { timeout: 60_000 }).status === 0;

  const itHere = needs("a registry of npm", isThere) ? it : it.skip;

  const base = mkdtempSync(join(tmpdir(), "frontdoor-setups-"));

  const tools = join(base, "tools");

  const install = (folder: string, ...packages: string[]) =>
    execFileSync("npm", ["install", "--no-audit", "--no-fund", "--prefix", folder, ...packages], { stdio: "pipe" });

  beforeAll(async () => {
    emulator = await startEmulator({ provisionMs: 100, teardownMs: 50, token: "very-secret-token" });
    if (!isThere) return;
    const tarball = packInto(base);
    install(base, tarball, "@pulumi/pulumi", "typescript@5.9", "ts-node", "tsx", "esbuild", "@types/node@24");
    for (const major of majors) install(join(tools, major), `node@${major}`);
  });

  afterAll(async () => {
    await emulator.close();
    removeFolder(base);
  });

  const program = readFileSync(join(root, "templates", "typescript", "index.ts"), "utf8");

  itHere.each(majors.flatMap((major) => setups.map((setup) => ({ ...setup, major }))))(
    "$name on Node $major comes up, is found unchanged, and is destroyed",
    async ({ name, major, manifest = {}, files = {}, folder = "", before, ...setup }) => {
      emulator.reset();
      // node_modules is found in a folder above, as in a workspace.
      const work = join(base, `${name.replaceAll(/\W+/g, "-")}-${major}`);
      const project = join(work, folder);
      mkdirSync(project, { recursive: true });
      mkdirSync(join(work, "state"));
      if (folder !== "")
        writeFileSync(join(work, "package.json"), JSON.stringify({ private: true, workspaces: ["packages/*"] }));
      const contents = {
        "index.ts": program,
        "package.json": JSON.stringify({ name: "site", private: true, ...manifest }),
        "tsconfig.json": readFileSync(join(root, "templates", "typescript", "tsconfig.json"), "utf8"),
        "Pulumi.yaml": `name: site\n${setup.runtime}\n`,
        ...files,
      };
      for (const [file, content] of Object.entries(contents)) writeFileSync(join(project, file), content);
      const own = (process.env["PATH"] ?? "").split(delimiter).filter((path) => !path.includes("node_modules"));
      const bins = [join(tools, major, "node_modules", "node", "bin"), join(base, "node_modules", ".bin")];
      const env = {
        ...engineEnvironment(work),
        ...serviceEnvironment(emulator),
        PATH: [...bins, ...own].join(delimiter),
      };
      const run = async (command: string, ...args: string[]) =>
        well(await start(command, args, { cwd: project, env }).end);
      const pulumi = (...args: string[]) => run("pulumi", ...args, "--non-interactive", "--color", "never");

      expect((await run("node", "--version")).stdout).toMatch(new RegExp(`^v${major}\\.`));
      if (before) await run(...(before as [string, ...string[]]));
      await pulumi("stack", "init", "dev");
      await pulumi("config", "set-all", ...answersAs("--plaintext"));
      await pulumi("up", "--yes", "--skip-preview");
      const writes = emulator.requests.splice(0).filter(({ method }) => method !== "GET");
      expect(writes.map(({ method, path }) => `${method} ${path}`)).toEqual(madeOfTemplate);
      await pulumi("preview", "--expect-no-changes");
      await pulumi("destroy", "--yes", "--skip-preview");
      expect([...emulator.tunnels(), ...emulator.shares()].filter(({ status }) => status !== "DELETED")).toEqual([]);
    },
  );

  itHere.each(typeScripts)("the types are right for TypeScript %s", (version) => {
    const folder = join(base, `typescript-${version}`);
    mkdirSync(folder);
    writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true }));
    install(folder, `typescript@${version}`);
    cpSync(join(root, "templates", "typescript", "index.ts"), join(folder, "index.ts"));
    const compiler = join(dirname(folder), `typescript-${version}`, "node_modules", "typescript", "bin", "tsc");
    const options = ["--noEmit", "--strict", "--target", "es2022", "--module", "node16", "--skipLibCheck", "index.ts"];
    const { status, stdout } = spawnSync(process.execPath, [compiler, ...options], { cwd: folder, encoding: "utf8" });
    expect([status, stdout]).toEqual([0, ""]);
  });
});
