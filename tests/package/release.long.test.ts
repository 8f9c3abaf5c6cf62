import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { parse } from "yaml";
import { blocksOf } from "../docs/pages";
import { type Emulator, startEmulator } from "../../emulator";
import { evaluate, type Running, start, startPulumi, well } from "../harness/command";
import { made } from "../harness/copies";
import { engineEnvironment, hasGo, serviceEnvironment } from "../harness/environment";
import { removeFolder, root } from "../harness/folder";
import { needs } from "../harness/needs";

// A rehearsal of CONTRIBUTING's "Release", on loopback: the steps of release.yml publish to a registry (verdaccio) and to a server that
// stands for GitHub's releases. A user installs from there.

const verdaccio = "6.10.4";
const isThere =
  hasGo() && spawnSync("npm", ["view", "verdaccio", "version", "--fetch-retries=0"], { timeout: 60_000 }).status === 0;
const itHere = needs("Go and a registry of npm", isThere) ? it : it.skip;

const folder = mkdtempSync(join(tmpdir(), "frontdoor-rehearsal-"));
const checkout = join(folder, "checkout");
/** On a cold machine, the first one builds the SDKs' generators and fetches Node for five platforms. */
const longestReleaseMs = 1_500_000;
const inFolder = (...path: string[]) => join(folder, ...path);
/** Nothing of the repository but the engine and Node, and npm as a user has it, with the registry of the rehearsal. */
const environment = (): Record<string, string | undefined> => {
  const path = (process.env["PATH"] ?? "")
    .split(delimiter)
    .filter((each) => !each.includes(join("node_modules", ".bin")));
  const own = Object.entries(process.env).filter(([name]) => !/^(npm_|PULUMI|FRONTDOOR|INIT_CWD)/i.test(name));
  return {
    ...Object.fromEntries(own),
    PATH: [inFolder("bin"), ...path].join(delimiter),
    NO_PROXY: "127.0.0.1,localhost",
    no_proxy: "127.0.0.1,localhost",
    ...{
      GIT_AUTHOR_NAME: "a",
      GIT_AUTHOR_EMAIL: "a@b.example",
      GIT_COMMITTER_NAME: "a",
      GIT_COMMITTER_EMAIL: "a@b.example",
    },
  };
};
const run = async (cwd: string, env: Record<string, string>, code: string) =>
  well(await start("bash", ["-eo", "pipefail", "-c", code], { cwd, env: { ...environment(), ...env } }).end);
const inCheckout = (code: string) => run(checkout, {}, code);

/** The repository's files as they are, committed on a main of their own, with what `npm ci` installs. */
beforeAll(async () => {
  if (!isThere) return;
  const list = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
  for (const file of execFileSync("git", list, { cwd: root, encoding: "utf8" }).split("\0").filter(Boolean))
    cpSync(join(root, file), join(checkout, file), { force: true });
  mkdirSync(inFolder("bin"));
  await inCheckout("git init --quiet --initial-branch main && git add . && git commit --quiet --message All");
  await inCheckout("npm ci --ignore-scripts");
});
afterAll(() => {
  removeFolder(folder);
});

describe("npm version", () => {
  itHere(
    "0.2.0 takes along what has the version, and the tests that look at it pass",
    async () => {
      const changes = join(checkout, "CHANGELOG.md");
      const { version } = manifest();
      await expect(inCheckout("npm version 0.2.0")).rejects.toThrow('must have the heading "## [0.2.0] - Unreleased"');
      await inCheckout("git checkout --quiet .");
      const heading = "## [0.2.0] - Unreleased\n\n### Fixed\n\n- All.\n\n";
      writeFileSync(changes, readFileSync(changes, "utf8").replace("## [", `${heading}## [`));
      await inCheckout("git commit --quiet --all --message Changes && npm version 0.2.0");
      const left = await inCheckout(
        `git grep -nF ${version} -- . ':!tests' ':!CHANGELOG.md' ':!CONTRIBUTING.md' ':!scripts' ':!package-lock.json' || true`,
      );
      expect(left.stdout).toBe("");
      expect((await inCheckout("git status --short && git describe")).stdout).toBe("v0.2.0\n");
      await inCheckout("npm ci --ignore-scripts --dry-run");
      const concerned =
        "tests/sdk tests/policy/engine tests/package/.*(contents|dependencies|schema|workflows|examples)";
      const tests = await inCheckout(
        `npm run test:all -- ${concerned.replaceAll(/ (?=tests)/g, "' '").replace(/.*/, "'$&'")}`,
      );
      expect(tests.stdout).toMatch(/[1-9]\d* passed, 0 failed, 0 skipped\n$/);
      await inCheckout("git reset --quiet --hard HEAD~2 && git tag --delete v0.2.0");
    },
    longestReleaseMs,
  );
});

const manifest = () => JSON.parse(readFileSync(join(checkout, "package.json"), "utf8")) as { version: string };

describe("the rehearsal", () => {
  const asked: string[] = [];
  let releases: Server;
  let registry: Running;
  let url: string;

  /** The `run` lines of a job of release.yml, in the environment of its tag. */
  async function runJob(job: string, cwd: string, env: Record<string, string>): Promise<void> {
    const { jobs } = parse(readFileSync(join(checkout, ".github/workflows/release.yml"), "utf8")) as {
      jobs: Record<string, { steps: { run?: string }[] }>;
    };
    for (const { run: code } of jobs[job]?.steps ?? []) if (code !== undefined) await run(cwd, env, code);
  }

  beforeAll(async () => {
    if (!isThere) return;
    const overrides = { "node-fetch": "2.7.0" };
    mkdirSync(inFolder("registry"));
    writeFileSync(inFolder("registry", "package.json"), JSON.stringify({ private: true, overrides }));
    await run(inFolder("registry"), {}, `npm install --ignore-scripts --no-audit --no-fund verdaccio@${verdaccio}`);
    const all = { access: "$all", publish: "$all" };
    const settings = {
      storage: inFolder("registry", "storage"),
      uplinks: { npm: { url: execFileSync("npm", ["config", "get", "registry"], { encoding: "utf8" }).trim() } },
      packages: { "pulumi-frontdoor": all, "**": { access: "$all", proxy: "npm" } },
      log: { type: "stdout", format: "pretty", level: "http" },
    };
    writeFileSync(inFolder("registry", "config.yaml"), JSON.stringify(settings));
    const bin = inFolder("registry", "node_modules", "verdaccio", "bin", "verdaccio");
    const port = await freePort();
    const args = [bin, "--config", inFolder("registry", "config.yaml"), "--listen", `127.0.0.1:${port}`];
    registry = start(process.execPath, args, { cwd: inFolder("registry"), env: environment() });
    await registry.says(/http address/);
    writeFileSync(inFolder("npmrc"), `registry=http://127.0.0.1:${port}/\n//127.0.0.1:${port}/:_authToken=rehearsal\n`);

    releases = createServer(({ url: path = "" }, answer) => {
      asked.push(path);
      const file = inFolder("github", path);
      if (!/^\/acme\/[\w./-]+$/.test(path) || path.includes("..")) answer.writeHead(404).end();
      else answer.end(readFileSync(file));
    }).listen(0, "127.0.0.1");
    await new Promise((resolve) => releases.once("listening", resolve));
    url = `http://127.0.0.1:${(releases.address() as AddressInfo).port}`;
    writeFileSync(inFolder("bin", "gh"), gh, { mode: 0o755 });
  });
  afterAll(async () => {
    if (!isThere) return;
    process.kill(registry.pid, "SIGTERM");
    await registry.end;
    releases.closeAllConnections();
    await new Promise((resolve) => releases.close(resolve));
  });

  itHere("stops before a publish while a placeholder is left; CONTRIBUTING says how to replace them", async () => {
    const check = () => start("npm", ["run", "--silent", "prepublishOnly"], { cwd: checkout, env: environment() }).end;
    const before = await check();
    expect(before.code).not.toBe(0);
    for (const file of [
      "package.json",
      "README.md",
      "SECURITY.md",
      ".github/CODEOWNERS",
      "provider/plugin/schema.json",
    ])
      expect(before.stdout).toMatch(new RegExp(`^${file}:`, "m"));
    const [replace = ""] = blocksOf("CONTRIBUTING.md").flatMap(({ mark, code }) =>
      mark?.file === "tests/package/release.long.test.ts" ? code : [],
    );
    await inCheckout(replace);
    const left = await check();
    expect(left.stdout).not.toMatch(/OWNER|MAINTAINER/);
    // What a person rewrites: each sentence that the guard names, whatever its words.
    const named = left.stdout.split("\n").flatMap((line) => /^([^:]+):(\d+):/.exec(line)?.slice(1, 3).join(":") ?? []);
    for (const file of ["README.md", "SECURITY.md", "fleet/README.md", "docs/getting-started.md", "llms.txt"])
      expect(named).toContainEqual(expect.stringMatching(new RegExp(`^${file}:`)));
    for (const at of named) {
      const [file = "", line = 0] = at.split(":");
      const lines = readFileSync(join(checkout, file), "utf8").split("\n");
      lines[Number(line) - 1] = "The package is published.";
      writeFileSync(join(checkout, file), lines.join("\n"));
    }
    expect(await check()).toMatchObject({ code: 0 });
    // For the rehearsal alone.
    await inCheckout(`perl -pi -e 's#https://github.com/acme#${url}/acme#' package.json && node scripts/generate.mjs`);
    await inCheckout("git add . && git commit --quiet --message 'The first release'");
  });

  itHere.each(["0.1.0-rc.1", "0.1.0-rc.2"])(
    "%s is built and published by release.yml, with every archive",
    async (version) => {
      await inCheckout(`npm version ${version} && git update-ref refs/remotes/origin/main HEAD`);
      const tag = `v${version}`;
      const work = inFolder(tag);
      mkdirSync(work);
      await runJob("build", checkout, { GITHUB_REF_NAME: tag });
      cpSync(join(checkout, "published"), join(work, "published"), { recursive: true });
      await inCheckout("git clean -dxfq published release sdks");
      const env = {
        GITHUB_REF_NAME: tag,
        NPM_CONFIG_USERCONFIG: inFolder("npmrc"),
        GITHUB: inFolder("github/acme/pulumi-frontdoor/releases/download"),
      };
      await runJob("publish", work, env);
      // Again, as after a failure: npm would refuse the same version twice.
      await runJob("publish", work, env);
      const files = readdirSync(join(env.GITHUB, tag));
      for (const platform of ["darwin-amd64", "darwin-arm64", "linux-amd64", "linux-arm64", "windows-amd64"])
        expect(files).toContain(`pulumi-resource-frontdoor-${tag}-${platform}.tar.gz`);
      expect(files).toEqual(expect.arrayContaining([`pulumi-frontdoor-sdks-${tag}.tar.gz`, "SHA256SUMS"]));
      await run(join(env.GITHUB, tag), {}, "sha256sum --check --quiet SHA256SUMS");
      const { stdout } = await run(work, env, "npm view pulumi-frontdoor dist-tags.next");
      expect(stdout.trim()).toBe(version);
    },
    longestReleaseMs,
  );

  itHere.each([
    ["dynamic provider", "pulumi-frontdoor", []],
    ["plugin, which Pulumi downloads by its own address", "pulumi-frontdoor/plugin", ["0.1.0-rc.1", "0.1.0-rc.2"]],
  ])(
    "getting started with the %s, from an empty folder: an upgrade to rc.2 changes nothing, and neither does going back",
    async (_name, classes, downloads) => {
      const home = inFolder(classes.replace("/", "-"));
      mkdirSync(home);
      asked.splice(0);
      const page = blocksOf("docs/getting-started.md");
      const [, , create = "", stack = "", up = ""] = page.flatMap(({ language, code }) =>
        language === "sh" ? code : [],
      );
      const env = { HOME: home, PULUMI_HOME: join(home, "pulumi"), NPM_CONFIG_USERCONFIG: inFolder("npmrc") };
      const where = Object.fromEntries(
        Object.entries({ ...engineEnvironment(home), ...env }).filter(([name]) =>
          /^(PULUMI|FRONTDOOR|HOME|NPM)/.test(name),
        ),
      ) as Record<string, string>;
      const install = create.replace("~/pulumi-frontdoor-*.tgz", "pulumi-frontdoor@0.1.0-rc.1");
      expect(install).not.toBe(create);
      await run(home, where, install);
      const project = join(home, "my-tunnels");
      for (const { title, code } of page)
        if (title !== undefined)
          writeFileSync(join(project, title), code.replace('"pulumi-frontdoor"', `"${classes}"`));

      const tool = join(project, "node_modules", ".bin", "pulumi-frontdoor");
      const emulator = start(tool, ["emulator", "--port", "0"], { cwd: project, env: { ...environment(), ...where } });
      try {
        const [baseUrl = ""] = await emulator.says(/http:\/\/127\.0\.0\.1:\d+\/frontdoor/);
        mkdirSync(join(home, "state"));
        const typed = stack.replace("http://127.0.0.1:8480/frontdoor", baseUrl).replace(/^export .*\n/m, "");
        await run(project, where, typed);
        expect((await run(project, where, up)).stdout).toMatch(/"app-db": ?"[\w.-]+:8443"/);
        await run(project, where, "pulumi up --yes --expect-no-changes");
        await run(project, where, "npm install pulumi-frontdoor@0.1.0-rc.2");
        const preview = await run(project, where, "pulumi preview --diff --expect-no-changes");
        expect(preview.stdout).toMatch(/4 unchanged/);
        await run(project, where, "pulumi up --yes --expect-no-changes");
        // The state of the later version is quiet under the earlier one.
        await run(project, where, "npm install pulumi-frontdoor@0.1.0-rc.1");
        await run(project, where, "pulumi preview --diff --expect-no-changes && pulumi up --yes --expect-no-changes");
        await run(project, where, "pulumi destroy --yes");
      } finally {
        process.kill(emulator.pid, "SIGTERM");
        await emulator.end;
      }
      const archive = (version: string) =>
        `/acme/pulumi-frontdoor/releases/download/v${version}/pulumi-resource-frontdoor-v${version}-`;
      expect([...new Set(asked)].map((path) => path.replace(/[a-z]+-[a-z0-9]+\.tar\.gz$/, ""))).toEqual(
        downloads.map(archive),
      );
    },
  );
});

/** Keeps releases as folders of files. */
const gh = `#!/bin/sh -e
at="$GITHUB/$3"
case $2 in
  view) test -d "$at" ;;
  create) mkdir -p "$at" ;;
  upload) shift 3; for file; do case $file in --*) ;; *) cp "$file" "$at" ;; esac; done ;;
esac
`;

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

describe("the archives", () => {
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string };
  const folder = mkdtempSync(join(tmpdir(), "frontdoor-release-test-"));
  const releaseInto = (into: string, ...platforms: string[]) =>
    execFileSync(process.execPath, [join(root, "scripts/release.mjs"), ...platforms, "--into", join(folder, into)], {
      stdio: ["ignore", "ignore", "pipe"],
    });
  const sums = (of: string) => readFileSync(join(folder, of, "SHA256SUMS"), "utf8");
  const sha256 = (file: string) => createHash("sha256").update(readFileSync(file)).digest("hex");
  let name: string;
  let emulator: Emulator;

  beforeAll(async () => {
    const platform = (await evaluate("../release", "it.thisPlatform()")) as string;
    name = `pulumi-resource-frontdoor-v${version}-${platform}`;
    releaseInto("release", platform);
    emulator = await startEmulator({ provisionMs: 300, teardownMs: 100, token: "very-secret-token" });
  });
  afterAll(async () => {
    await emulator.close();
    removeFolder(folder);
  });

  it("a release's checksums are those of its files, and the same when it is made again", () => {
    const files = readdirSync(join(folder, "release")).filter((file) => file !== "SHA256SUMS");
    expect(files).toEqual([`${name}.cdx.json`, `${name}.tar.gz`]);
    expect(sums("release")).toBe(files.map((file) => `${sha256(join(folder, "release", file))}  ${file}\n`).join(""));
    releaseInto("again", name.replace(/.*-v[^-]+-/, ""));
    expect(sums("again")).toBe(sums("release"));
  });

  it("the bill of materials names what the archive has licenses of, and Node as it is in there", () => {
    const unpacked = join(folder, "unpacked");
    mkdirSync(unpacked);
    execFileSync("tar", ["-xzf", join(folder, "release", `${name}.tar.gz`), "-C", unpacked]);
    const { components } = JSON.parse(readFileSync(join(folder, "release", `${name}.cdx.json`), "utf8")) as {
      components: { name: string; version: string; hashes: object[]; licenses: object[] }[];
    };
    const licenses = readFileSync(join(unpacked, "licenses.txt"), "utf8");
    const [node, ...bundled] = [...components].reverse();
    expect(bundled.length).toBeGreaterThan(5);
    expect(bundled.filter((each) => !licenses.includes(`${each.name}\n`)).map((each) => each.name)).toEqual([]);
    expect(components.filter(({ hashes, licenses: own }) => hashes.length !== 1 || own.length !== 1)).toEqual([]);
    const told = execFileSync(join(unpacked, "node"), ["--version"], { encoding: "utf8" });
    expect(`v${node?.version ?? ""}\n`).toBe(told);
  });

  const withGo = hasGo() ? it : it.skip;

  withGo(
    "an archive, installed by the engine, brings a program up, refreshes and destroys it without Node",
    async () => {
      const yaml = (await evaluate("engine", 'it.goTool("language-yaml")')) as string;
      // All that the engine finds on its path: no Node, and no plugin.
      const bin = join(folder, "bin");
      mkdirSync(bin);
      symlinkSync(execFileSync("which", ["pulumi"], { encoding: "utf8" }).trim(), join(bin, "pulumi"));
      symlinkSync(join(yaml, "pulumi-language-yaml"), join(bin, "pulumi-language-yaml"));
      mkdirSync(join(folder, "state"));
      const program = join(folder, "program");
      cpSync(join(root, "examples/quickstart-yaml"), program, { recursive: true });
      const env = { ...engineEnvironment(folder), PATH: bin, ...serviceEnvironment(emulator) };
      const pulumi = async (...args: string[]) => well(await startPulumi(args, { cwd: program, env }).end);

      const file = join(folder, "release", `${name}.tar.gz`);
      await pulumi("plugin", "install", "resource", "frontdoor", version, "--file", file);
      await pulumi("stack", "init", "dev");
      await pulumi("up", "--yes", "--skip-preview");
      const posts = emulator.requests.filter(({ method }) => method === "POST");
      expect(posts.map(({ method, path }) => `${method} ${path}`)).toEqual(made);
      await pulumi("refresh", "--yes", "--skip-preview", "--expect-no-changes");
      await pulumi("destroy", "--yes", "--skip-preview");
      expect([...emulator.tunnels(), ...emulator.shares()].filter(({ status }) => status !== "DELETED")).toEqual([]);
    },
  );

  it("what Windows gets, a single executable, runs the plugin that lies beside it; tried with this platform's Node", async () => {
    const single = join(folder, "single");
    cpSync(join(folder, "unpacked"), single, { recursive: true });
    const plugin = join(single, "pulumi-resource-frontdoor");
    const makes = (output: string) =>
      evaluate("../release", `it.singleExecutable(...${JSON.stringify([join(single, "node"), output])})`);
    expect(await makes(plugin)).toBeNull();
    expect(await makes(`${plugin}.again`)).toBeNull();
    expect(sha256(`${plugin}.again`)).toBe(sha256(plugin));
    rmSync(join(single, "node"));
    const env = { ...engineEnvironment(folder), PATH: "/nowhere" };
    const running = start(plugin, ["127.0.0.1:1"], { cwd: single, env });
    await running.says(/\n/);
    process.kill(running.pid, "SIGINT");
    expect(await running.end).toMatchObject({ code: 0, stdout: expect.stringMatching(/^\d+\n$/) as string });
  });
});
