import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import {
  accessSync,
  constants,
  copyFileSync,
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { basename, delimiter, dirname, join, sep } from "node:path";
import {
  atLeast,
  cacheDir,
  inState,
  publish,
  root,
  run,
  SetUpError,
  step,
  withLock,
  withoutPulumi,
  workDir,
} from "./environment.mjs";

/** The one release that set-up fetches or builds; scripts/engine/go.mod and the checksums below name the same. */
export const engineVersion = "3.213.0";
export const oldestEngine = "3.200.0";

/**
 * The engine with its Node.js language host: one on PATH, else the official download, else a build from Go modules.
 * `dirs` belong on PATH. The last two are kept in the cache, so that the next call only looks.
 */
export async function findEngine() {
  const onPath = await findEngineOnPath(oldestEngine);
  if (onPath) return onPath;

  const platform = `${process.platform}-${process.arch}`;
  const downloaded = join(cacheDir(), `pulumi-${engineVersion}-${platform}-download`);
  const built = join(cacheDir(), `pulumi-${engineVersion}-${platform}-build-${engineRecipeId()}`);
  const cached = () =>
    complete(downloaded)
      ? { from: "cached download", pulumi: join(downloaded, "pulumi"), dirs: [downloaded] }
      : complete(built)
        ? { from: "cached build", pulumi: join(built, "pulumi"), dirs: [built] }
        : undefined;

  return (
    cached() ??
    (await withLock(join(cacheDir(), "engine.lock"), async () => {
      if (cached()) return cached();
      const failures = [];
      for (const [name, get] of [
        ["download", () => downloadEngine({ version: engineVersion, into: downloaded })],
        ["build", () => buildEngine({ version: engineVersion, into: built })],
      ]) {
        try {
          await get();
          return { ...cached(), from: name };
        } catch (error) {
          if (!(error instanceof SetUpError)) throw error;
          failures.push(`${name}: ${error.message}`);
        }
      }
      throw new SetUpError(nothingWorked(failures));
    }))
  );
}

/** Both are put in place by one rename, so one file shows that all are there. */
const complete = (dir) => existsSync(join(dir, "pulumi-language-nodejs"));

const nothingWorked = (failures) =>
  `no Pulumi engine could be had.\n\n${failures.map((failure) => `- ${failure}`).join("\n")}\n\n` +
  `Do one of these and try again:\n` +
  `- put pulumi ${oldestEngine} or later with pulumi-language-nodejs on PATH (https://www.pulumi.com/docs/install/)\n` +
  `- let this machine reach github.com\n` +
  `- install Go 1.24.7 or later, with a module proxy that it can reach`;

/** Changes with what the engine's build is made from. */
const engineRecipeId = () => recipeId("engine", "language-host", "engine-shims");

/**
 * Builds engine and language host from Go modules, pinned and verified by the go.sum files beside their go.mod. The shims
 * go beside the engine: found anywhere else on PATH, the engine warns of them on every run.
 */
async function buildEngine({ version, into }) {
  await needGo();
  const work = workDir(into);
  const flags = `-s -w -X github.com/pulumi/pulumi/sdk/v3/go/common/version.Version=v${version}`;
  try {
    await step("Building the Node.js language host from Go modules (half a minute)", () =>
      goBuild({
        module: "language-host",
        command: "github.com/pulumi/pulumi/sdk/v3/nodejs/cmd/pulumi-language-nodejs",
        ...{ flags, into: work },
      }),
    );
    await step(`Building the Pulumi engine ${version} from Go modules (two to five minutes)`, () =>
      goBuild({ module: "engine", command: "github.com/pulumi/pulumi/pkg/v3/cmd/pulumi", flags, into: work }),
    );
    cpSync(recipe("engine-shims"), work, { recursive: true });
    publish(work, into);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/* global AbortController */

const releases = "https://github.com/pulumi/pulumi/releases/download";
/** As published in Pulumi's Homebrew formula for these files. To move to another release, take its checksums from there. */
const checksums = `
cf19d9c7f57a1282a45a945bfc5fe5ea9e1dfc977ada5c57a606007f047d13ad  pulumi-v3.213.0-linux-arm64.tar.gz
78fe51193176c9e84e5df9e5ce4dd7270fc54bdc9c4be08bdcd14700be041e86  pulumi-v3.213.0-linux-x64.tar.gz
76fe3b42bdbd643d886f8b48757e154f4fe9d49d4d9f7c8177c702195c6efb30  pulumi-v3.213.0-darwin-arm64.tar.gz
abf89f31825a70bc77102d539ccf9d53a2eebcbd5fc77b44a30eff6ec6d4a890  pulumi-v3.213.0-darwin-x64.tar.gz
`;

/**
 * Puts the official release into a directory if its SHA-256 is the pinned one. A host that does not answer
 * within `answerMs` ends the download, so a closed network costs seconds. @throws SetUpError
 */
export async function downloadEngine({ version, into, from = releases, pinned = checksums, answerMs = 4000 }) {
  const archive = `pulumi-v${version}-${releasePlatform()}.tar.gz`;
  const wanted = checksumOf(archive, pinned);
  const answer = await get(`${from}/v${version}/${archive}`, answerMs);

  const work = workDir(into);
  try {
    await step(`Downloading the Pulumi engine ${version}`, async () => {
      const file = join(work, archive);
      const bytes = await bytesOf(answer, archive);
      const found = createHash("sha256").update(bytes).digest("hex");
      if (found !== wanted) throw new SetUpError(`${archive} has SHA-256 ${found}, pinned is ${wanted}: not used`);
      writeFileSync(file, bytes);
      await run("tar", ["-xzf", file, "-C", work]);
      if (!existsSync(join(work, "pulumi", "pulumi-language-nodejs")))
        throw new SetUpError(`${archive} lacks its language host`);
      publish(join(work, "pulumi"), into);
    });
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

function releasePlatform({ platform, arch } = process) {
  if (!["linux", "darwin"].includes(platform) || !["x64", "arm64"].includes(arch)) {
    throw new SetUpError(`there is no release to unpack for ${platform} on ${arch}`);
  }
  return `${platform}-${arch}`;
}

/** The checksum of one file in text of lines such as "<64 hex digits>  <name>". */
function checksumOf(archive, sums) {
  const line = sums.split("\n").find((each) => each.trim().split(/\s+\*?/)[1] === archive);
  const sum = line?.trim().split(/\s+/)[0] ?? "";
  if (!/^[0-9a-f]{64}$/.test(sum)) throw new SetUpError(`no checksum of ${archive} is pinned`);
  return sum;
}

/** A stalled body is ended by fetch itself, the wait for the head of an answer here. */
async function get(url, answerMs) {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), answerMs);
  try {
    const answer = await fetch(url, { signal: late.signal });
    if (!answer.ok) throw new SetUpError(`${url} answered ${answer.status}`);
    clearTimeout(timer);
    return answer;
  } catch (error) {
    if (error instanceof SetUpError) throw error;
    const why = late.signal.aborted ? `no answer in ${answerMs / 1000} s` : (error.cause?.code ?? error.message);
    throw new SetUpError(`${url} cannot be reached (${why})`);
  } finally {
    clearTimeout(timer);
  }
}

async function bytesOf(answer, archive) {
  try {
    return Buffer.from(await answer.arrayBuffer());
  } catch (error) {
    throw new SetUpError(`the download of ${archive} broke off (${error.cause?.code ?? error.message})`);
  }
}

/** The first pulumi on PATH, when it is new enough and its language host is there too; the checkout's own do not count. */
async function findEngineOnPath(oldest) {
  const pulumi = onPath("pulumi");
  if (!pulumi || !onPath("pulumi-language-nodejs")) return undefined;
  const env = { ...withoutPulumi(process.env), PULUMI_HOME: inState("home"), PULUMI_SKIP_UPDATE_CHECK: "1" };
  const version = (await run(pulumi, ["version"], { env }).catch(() => "")).trim();
  if (!atLeast(version, oldest)) {
    console.error(`${pulumi} is left aside: ${version || "it does not run"}, ${oldest} or later is needed`);
    return undefined;
  }
  // An engine that came without its own shims gets ours.
  return { from: `PATH, ${version}`, pulumi, dirs: [dirname(pulumi), join(root, "scripts", "engine-shims")] };
}

function onPath(command) {
  return (process.env.PATH ?? "")
    .split(delimiter)
    .filter((dir) => dir !== "" && !dir.startsWith(root + sep))
    .map((dir) => join(dir, command))
    .find(isExecutable);
}

function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * The tools that are built from Go modules when something first needs them. `module` is a folder of scripts/ with a go.mod. A `release` is
 * built as its own go.mod says, and Go's checksum database verifies it.
 */
const tools = {
  sdks: { module: "sdks", title: "Pulumi's SDK generators (a minute)", command: "." },
  temporal: {
    title: "Temporal's development server (two to five minutes)",
    release: "github.com/temporalio/cli/cmd/temporal@v1.5.1",
  },
  "language-yaml": {
    title: "the YAML language host (a minute)",
    // The release that serves the engine's.
    release: "github.com/pulumi/pulumi-yaml/cmd/pulumi-language-yaml@v1.12.0",
  },
  "language-python": {
    module: "language-host",
    title: "the Python language host (half a minute)",
    command: "github.com/pulumi/pulumi/sdk/v3/python/cmd/pulumi-language-python",
    // A script beside its sources, which the language host starts.
    script: "python/cmd/pulumi-language-python-exec",
  },
};

/** The folder of a tool's executable, built once for this user and version. @throws SetUpError where Go is missing or fails */
export async function goTool(name) {
  const { module, title, command, script, release } = tools[name];
  const id = release?.split("@").at(-1) ?? recipeId(module);
  const into = join(cacheDir(), `${name}-${process.platform}-${process.arch}-${id}`);
  if (existsSync(into)) return into;
  return withLock(join(cacheDir(), `${name}.lock`), async () => {
    if (existsSync(into)) return into;
    await needGo();
    const work = workDir(into);
    try {
      await step(`Building ${title} from Go modules`, () =>
        release ? goInstall(release, work) : goBuild({ module, command, into: work }),
      );
      if (script) {
        const folder = await go(module, ["list", "-m", "-f", "{{.Dir}}", "github.com/pulumi/pulumi/sdk/v3"]);
        copyFileSync(join(folder.trim(), script), join(work, basename(script)));
      }
      publish(work, into);
    } finally {
      rmSync(work, { recursive: true, force: true });
    }
    return into;
  });
}

/** A folder of scripts/ with what is built from Go modules: go.mod and go.sum, and sources where it has its own. */
const recipe = (name) => join(root, "scripts", name);

/** Changes with what a build is made from, so that a build from older sources is not taken from the cache. */
function recipeId(...folders) {
  const hash = createHash("sha256");
  for (const folder of folders) {
    for (const name of readdirSync(recipe(folder)).sort())
      hash.update(name).update(readFileSync(join(recipe(folder), name)));
  }
  return hash.digest("hex").slice(0, 8);
}

/** The caller's, but for what would change the kind of a build; proxy and checksum database stay as the user has them. */
function goEnvironment() {
  const env = { ...process.env, CGO_ENABLED: "0", GO111MODULE: "on", GOWORK: "off", GOFLAGS: "-mod=readonly" };
  delete env.GOOS;
  delete env.GOARCH;
  return env;
}

/** Runs go on a recipe and gives what it printed. */
export const go = (module, args) => run("go", args, { cwd: recipe(module), env: goEnvironment() });

/** Builds a command, pinned and verified by the go.sum beside the recipe's go.mod, into a folder. @throws SetUpError */
const goBuild = ({ module, command, flags = "-s -w", into }) =>
  go(module, ["build", "-trimpath", "-buildvcs=false", "-ldflags", flags, "-o", `${into}/`, command]);

/** Builds a release of a command into a folder. @throws SetUpError */
const goInstall = (release, into) =>
  run("go", ["install", "-trimpath", "-buildvcs=false", "-ldflags", "-s -w", release], {
    cwd: into,
    env: { ...goEnvironment(), GOFLAGS: "", GOBIN: into },
  });

/** @throws SetUpError where there is none */
async function needGo() {
  await run("go", ["version"]).catch(() => {
    throw new SetUpError("no Go on PATH");
  });
}
