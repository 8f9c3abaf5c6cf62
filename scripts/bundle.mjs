import { cpSync, existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { build } from "esbuild";
import { npm } from "./setup.mjs";
import { root, SetUpError } from "./setup/environment.mjs";

/** Of undici what the provider sends with: its index loads everything else it has. */
const leanUndici = `
const Dispatcher = require("undici/lib/dispatcher/dispatcher.js");
Dispatcher.prototype.request = require("undici/lib/api/api-request.js");
// By which it talks to a proxy.
Dispatcher.prototype.connect = require("undici/lib/api/api-connect.js");
exports.Agent = require("undici/lib/dispatcher/agent.js");
exports.Pool = require("undici/lib/dispatcher/pool.js");
exports.buildConnector = require("undici/lib/core/connect.js");
Object.defineProperty(exports, "EnvHttpProxyAgent", {
  get: () => require("undici/lib/dispatcher/env-http-proxy-agent.js"),
});
`;

/** HTTP/2, which the provider turns off: Node's own part of it takes longer to load than all of undici. */
const lateHttp2 = `
module.exports = (...args) => require("undici/lib/dispatcher/client-h2.js")(...args);
`;

const launcher = `#!/usr/bin/env node
if (require("./cli-node.js").canRun(process)) require("./cli-main.js");
`;

const { name, version, exports, main } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

/** gRPC as Pulumi has it: the process of the dynamic provider has loaded it. */
const pulumisGrpc = {
  name: "pulumis-grpc",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^@grpc\/grpc-js$/ }, () => ({ path: "grpc", namespace: "pulumis" }));
    onLoad({ filter: /./, namespace: "pulumis" }, () => ({
      contents: `module.exports = require("node:module").createRequire(require.resolve("@pulumi/pulumi"))("@grpc/grpc-js");`,
    }));
  },
};

/** The one file that the engine's dynamic-provider process loads, the provider plugin, and the command. */
const dynamic = {
  entry: join("provider", "host", "dynamic.ts"),
  file: "dynamic.js",
  licenses: "dynamic.licenses.txt",
  external: ["@pulumi/*"],
  plugin: pulumisGrpc,
  // The state names the handler of each type by itself.
  footer: { js: "Object.assign(module.exports,module.exports.handlers);" },
};
const plugin = {
  entry: join("provider", "host", "server.ts"),
  file: join("plugin", "index.js"),
  external: ["./component.js"],
};
/** IpsecSite for programs in every language, with what it needs of Pulumi's SDK. Only a run with a site loads it. */
const component = {
  entry: join("sdk", "plugin", "component.ts"),
  file: join("plugin", "component.js"),
  plugin: {
    name: "lean-pulumi",
    setup({ onResolve, onLoad }) {
      // The SDK's index loads all else that the SDK has: the Automation API and TypeScript.
      onResolve({ filter: /^@pulumi\/pulumi$/ }, () => ({ path: "pulumi", namespace: "lean-pulumi" }));
      onLoad({ filter: /./, namespace: "lean-pulumi" }, () => ({
        contents: `Object.assign(exports, ${["resource", "output", "errors"].map((each) => `require("@pulumi/pulumi/${each}")`).join(", ")});`,
        resolveDir: root,
      }));
      // The plugin has loaded gRPC, and the checks.
      onResolve({ filter: /^@grpc\/grpc-js$/ }, () => ({ path: "grpc", namespace: "plugin" }));
      onResolve({ filter: /\/provider\/resources\/site$/ }, () => ({ path: "sites", namespace: "plugin" }));
      onLoad({ filter: /./, namespace: "plugin" }, ({ path }) => ({
        contents: `module.exports = require("./index.js").${path};`,
      }));
      onResolve({ filter: /./, namespace: "plugin" }, ({ path }) => ({ path, external: true }));
      // Debug lines of the SDK show secrets of the children, such as the pre-shared key.
      const additions = {
        "provider/server": "exports.Server = Server;",
        "log/index": "exports.debug = () => Promise.resolve();",
      };
      for (const [file, more] of Object.entries(additions))
        onLoad({ filter: new RegExp(`@pulumi.pulumi.${file}\\.js$`) }, ({ path }) => ({
          contents: `${readFileSync(path, "utf8")}\n${more}`,
        }));
      onResolve({ filter: /^pulumi-frontdoor\/package\.json$/ }, () => ({ path: join(root, "package.json") }));
    },
  },
};
/** What only programs that read load, what only those with a site load, and the policies: users install Pulumi's own packages and nothing else for them. */
const reads = { entry: join("provider", "functions", "open.ts"), licenses: "reads.licenses.txt" };
const sites = { entry: join("provider", "resources", "site.ts"), licenses: "sites.licenses.txt" };
const policies = { entry: join("policy", "index.ts"), licenses: "policy.licenses.txt", external: ["@pulumi/*"] };
const sarif = { ...policies, entry: join("policy", "sarif.ts"), external: ["@pulumi/*", "./index"] };
/** The policy pack, which is complete without dist/, so that it can be published to an organization. */
const pack = { ...policies, entry: join("policy", "pack.ts"), file: "pack.js", licenses: "licenses.txt" };
/** The command's words, which every call loads, and the emulator. */
const command = { entry: join("cli", "start.ts"), file: "cli-main.js", licenses: "cli-main.licenses.txt" };
const emulator = {
  entry: join("emulator", "command.ts"),
  file: "cli-emulator.js",
  licenses: "cli-emulator.licenses.txt",
};

/** What commands do, once it is known which: all that the words import when they are called, each loaded by itself. */
const work = { file: "cli-work.js", licenses: "cli-work.licenses.txt" };
const workText = (files) =>
  `const all = { ${files.map((file) => `"${file}": () => require("./${file}")`).join(", ")} }; module.exports = (name) => all[name]();`;

/** Leaves what is imported by a call to the file of the work, and notes it. */
const workApart = (files) => ({
  name: "work-apart",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^\..*\.js$/ }, ({ kind, path, resolveDir }) => {
      if (kind !== "dynamic-import") return undefined;
      const file = relative(root, join(resolveDir, path)).replace(/\.js$/, "").replaceAll(sep, "/");
      files.add(file);
      return { path: file, namespace: "work" };
    });
    onResolve({ filter: /./, namespace: "work" }, ({ path }) => ({ path, external: true }));
    onLoad({ filter: /./, namespace: "work" }, ({ path }) => ({
      contents: `module.exports = require("./${work.file}")("${path}");`,
    }));
  },
});

/** What lies beside the plugin: what starts it, on its path or in its folder, and its schema. */
const beside = join(root, "provider", "plugin", "folder");
const schema = join(root, "provider", "plugin", "schema.json");

/** Makes each of them with the licenses of what is in it, and one bill of materials; of what was compiled before, only what they leave out stays. */
export async function bundle(dist) {
  const packages = [];
  const make = async (one, into = dist) => {
    const files = await bundleOne(one, into);
    writeFileSync(join(into, one.licenses), licensesOf(files));
    packages.push(...packagesOf(files));
  };
  const fresh = join(dist, "pack");
  await make(pack, fresh);
  placePack(fresh);
  for (const each of [dynamic, reads, sites, sarif, policies]) await make(each);
  const files = new Set();
  await make({ ...command, plugin: workApart(files) });
  await make({ ...work, text: workText([...files].sort()) });
  await make(emulator);
  await bundleNodeCheck(dist);
  writeFileSync(join(dist, "cli.js"), launcher, { mode: 0o755 });
  packages.push(...(await bundlePlugin(dist)));
  writeFileSync(join(dist, "sbom.cdx.json"), (await sbomOf(packages))({ type: "library", name }));
  removeUnreached(dist, ["policy", "provider", "sdk"]);
}

/** Makes the plugin's folder alone. Gives the packages that its bundles hold: their folders, from the checkout's. */
export async function bundlePlugin(dist) {
  const files = [...(await bundleOne(plugin, dist)), ...(await bundleOne(component, dist))];
  writeFileSync(join(dist, "plugin", "licenses.txt"), licensesOf(files));
  cpSync(beside, join(dist, "plugin"), { recursive: true });
  writeFileSync(join(dist, "plugin", "schema.json"), JSON.stringify(JSON.parse(readFileSync(schema, "utf8"))));
  return packagesOf(files);
}

/**
 * Moves the policy pack beside its manifest, in the checkout: complete, because a pack may be starting, and before dist/ is complete,
 * because set-up builds again whatever is older than its sources.
 */
function placePack(fresh) {
  for (const file of [pack.file, pack.licenses]) renameSync(join(fresh, file), join(root, "policy", file));
  rmSync(fresh, { recursive: true });
}

/** The check of Node that the command starts with, in syntax that every Node can load. It holds no package, and so needs no licenses. */
const bundleNodeCheck = (dist) =>
  build({
    entryPoints: [join(root, "cli", "shared", "node-version.ts")],
    outfile: join(dist, "cli-node.js"),
    bundle: true,
    minify: true,
    platform: "node",
    target: "node12",
    logLevel: "warning",
  });

/** Gives the files that the bundle is made from. */
async function bundleOne({ entry, text, file = entry.replace(/\.ts$/, ".js"), external = [], plugin, footer }, dist) {
  const { metafile } = await build({
    ...(text === undefined ? { entryPoints: [join(root, entry)] } : { stdin: { contents: text, resolveDir: root } }),
    outfile: join(dist, file),
    bundle: true,
    minify: true,
    external,
    platform: "node",
    target: "node22",
    // By require: Node's other loader takes longer to start.
    supported: { "dynamic-import": false },
    metafile: true,
    logLevel: "warning",
    absWorkingDir: root,
    ...(footer && { footer }),
    plugins: [
      ...(plugin ? [plugin] : []),
      {
        name: "lean-undici",
        setup({ onResolve, onLoad }) {
          onResolve({ filter: /^undici$/ }, () => ({ path: "undici", namespace: "lean" }));
          onResolve({ filter: /^\.\/client-h2\.js$/ }, () => ({ path: "client-h2", namespace: "lean" }));
          onLoad({ filter: /./, namespace: "lean" }, ({ path }) => ({
            contents: path === "undici" ? leanUndici : lateHttp2,
            resolveDir: root,
          }));
        },
      },
    ],
  });
  return Object.keys(metafile.inputs);
}

const isCode = (path) => /\.([cm]?[jt]sx?|json|map)$/i.test(path);
const isLegal = (path) => /licen[cs]e|notice|copying|copyright/i.test(basename(path)) && !isCode(path);
const isLicense = (path) => /licen[cs]e|copying/i.test(basename(path));

/** The folders of the packages that files of a bundle come from. The folder of a package that lies in another one's names both. */
const packagesOf = (files) => [...new Set(files.flatMap((file) => packageOf(file) ?? []))].sort();

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
  const { license } = manifestIn(".");
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

/** What users import by name, code and types, and the command that makes reports of policies. */
const entries = [
  main,
  ...Object.values(exports).flatMap((each) => (typeof each === "string" ? each : Object.values(each))),
]
  .filter((path) => /\.(js|d\.ts)$/.test(path))
  .concat("dist/policy/sarif.js")
  .map((path) => path.replace(/^(\.\/)?dist\//, ""));

/** Removes from folders of the compiled package every module that no entry point reaches. */
function removeUnreached(dist, folders) {
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

if (process.argv[1] === import.meta.filename)
  await bundle(resolve(process.argv[2] ?? join(dirname(import.meta.dirname), "dist")));
