import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { root, SetUpError } from "../setup/environment.mjs";
import { npm } from "../setup/npm.mjs";

const isCode = (path) => /\.([cm]?[jt]sx?|json|map)$/i.test(path);
const isLegal = (path) => /licen[cs]e|notice|copying|copyright/i.test(basename(path)) && !isCode(path);
const isLicense = (path) => /licen[cs]e|copying/i.test(basename(path));

/** The folders of the packages that files of a bundle come from. The folder of a package that lies in another one's names both. */
export const packagesOf = (files) => [...new Set(files.flatMap((file) => packageOf(file) ?? []))].sort();

const packageOf = (file) => /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0];

/**
 * The legal texts of a bundle: each package's files, and the copyright notices that only its source files hold. A text that several
 * packages have is there once. @throws SetUpError if a package has no license file
 */
export function licensesOf(files) {
  const first = new Map();
  const once = (folder, { path, text }) => {
    const known = first.get(text);
    if (known === undefined) first.set(text, `${path} of ${folder}`);
    return `${path}:\n\n${known === undefined ? text : `The same text as ${known}, above.`}`;
  };
  return packagesOf(files)
    .map((folder) => {
      const name = folder.replace("node_modules/", "");
      const texts = textsIn(folder).map((each) => once(name, each));
      const notices = noticesIn(files.filter((file) => packageOf(file) === folder));
      return [name, ...texts, ...notices].join("\n\n");
    })
    .join("\n\n");
}

function textsIn(folder) {
  const found = readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((each) => each.isFile())
    .map((each) => join(each.parentPath, each.name).slice(join(root, folder).length + 1))
    .filter((path) => isLegal(path) && !path.includes("node_modules"))
    .sort();
  if (!found.some(isLicense))
    throw new SetUpError(`${folder} is bundled and has no license file, so the package must not be shipped.`);
  return found.map((path) => ({ path, text: readFileSync(join(root, folder, path), "utf8").trim() }));
}

/** Comments with a copyright, which a minified bundle no longer holds. */
const noticesIn = (files) => [
  ...new Set(
    files.flatMap((file) => readFileSync(join(root, file), "utf8").match(/\/\*[^]*?\*\//g) ?? []).filter(isCopyright),
  ),
];

const isCopyright = (comment) => /copyright/i.test(comment);

const manifestIn = (folder) => JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8"));

/**
 * Gives a function that makes the CycloneDX text of what holds bundled packages, by their folders: npm's own, cut to these packages.
 * It has no time and no serial number, so that the same content has the same text. @throws SetUpError if the lock file lacks one
 */
export async function sbomOf(packages) {
  const all = JSON.parse(await npm(["sbom", "--sbom-format=cyclonedx", "--package-lock-only"]));
  const { name, version, license } = manifestIn(".");
  const bundled = bundledFrom(all, packages);

  return ({ type, name: subject, others = [] }) => {
    const components = [...bundled, ...others];
    const refs = new Set(components.map((each) => each["bom-ref"]));
    const own = `${name}@${version}`;
    const licenses = [{ license: { id: license } }];
    const component = { "bom-ref": own, type, name: subject, version, purl: `pkg:npm/${own}`, licenses };
    const dependencies = all.dependencies
      .filter(({ ref }) => refs.has(ref))
      .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((each) => refs.has(each)) }));
    const document = {
      $schema: all.$schema,
      bomFormat: all.bomFormat,
      specVersion: all.specVersion,
      version: 1,
      metadata: { lifecycles: [{ phase: "build" }], tools: all.metadata.tools, component },
      components,
      dependencies: [{ ref: own, dependsOn: [...refs] }, ...dependencies],
    };
    return `${JSON.stringify(document)}\n`;
  };
}

function bundledFrom({ components }, folders) {
  const refs = folders.map((folder) => {
    const manifest = manifestIn(folder);
    return `${manifest.name}@${manifest.version}`;
  });
  return [...new Set(refs)].sort().map((ref) => {
    const found = components.find((each) => each["bom-ref"] === ref);
    if (!found) throw new SetUpError(`package-lock.json does not name ${ref}, which is installed: run "npm ci"`);
    // What is bundled is required, also if the npm package has it among its development dependencies.
    return { ...found, scope: "required", properties: undefined };
  });
}

const { exports, main } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

/** What users import by name, code and types, what the policy pack's folder names, and the command that makes reports of policies. */
const entries = [
  main,
  ...Object.values(exports).flatMap((each) => (typeof each === "string" ? each : Object.values(each))),
]
  .filter((path) => /\.(js|d\.ts)$/.test(path))
  .concat("dist/policy/pack.js", "dist/policy/sarif.js")
  .map((path) => path.replace(/^(\.\/)?dist\//, ""));

/** Removes from folders of the compiled package every module that no entry point reaches. */
export function removeUnreached(dist, folders) {
  const reached = reachedIn(dist);
  for (const folder of folders) {
    const files = readdirSync(join(dist, folder), { recursive: true, withFileTypes: true });
    for (const file of files.filter((each) => each.isFile())) {
      const path = join(file.parentPath, file.name);
      if (/\.(js|d\.ts)$/.test(path) && !reached.has(path)) rmSync(path);
    }
  }
}

/** Files that entry points reach: code what is required, declarations what is imported. */
function reachedIn(dist) {
  const reached = new Set(entries.map((path) => join(dist, path)));
  for (const file of reached) {
    const ending = file.endsWith(".d.ts") ? ".d.ts" : ".js";
    const naming = ending === ".js" ? /\brequire\("(\.[^"]+)"\)/g : /(?:from |import\()"(\.[^"]+)"/g;
    for (const [, from] of readFileSync(file, "utf8").matchAll(naming)) {
      const path = resolve(dirname(file), from);
      const found = [path, `${path}${ending}`, join(path, `index${ending}`)].find(isModule);
      if (found) reached.add(found);
    }
  }
  return reached;
}

const isModule = (path) => /\.(js|d\.ts)$/.test(path) && existsSync(path);
