import { Buffer } from "node:buffer";
import { cpSync, existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { withLock } from "../setup/lock.mjs";
import { npm } from "../setup/npm.mjs";
import { cacheDir, root } from "../setup/places.mjs";
import { SetUpError, step } from "../setup/progress.mjs";
import { publish, workDir } from "../setup/publish.mjs";
import { platforms } from "./platforms.mjs";

const recipe = join(root, "scripts", "node-executables");
const { packages: locked } = JSON.parse(readFileSync(join(recipe, "package-lock.json"), "utf8"));

/** The platform's Node as a component of a bill of materials: by the name that advisories have for it, and by its package. */
export function nodeComponent(platform) {
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
export async function nodeExecutable(platform) {
  return join(await nodePackage(platform), "bin", platforms[platform].os === "win32" ? "node.exe" : "node");
}

/** The licenses of Node and of what is in it. The package for Windows has none: they are the same everywhere. */
export async function nodeLicense(platform) {
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
