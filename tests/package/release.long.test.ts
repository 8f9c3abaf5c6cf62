import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { parse } from "yaml";
import { blocksOf } from "../docs/pages";
import { type Running, start, well } from "../harness/command";
import { engineEnvironment, hasGo } from "../harness/environment";
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
