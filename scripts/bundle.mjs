import { cpSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { build } from "esbuild";
import { removeUnreached } from "./bundle/reached.mjs";
import { root } from "./setup/places.mjs";

/** Of undici what the provider sends with: its index loads everything else it has. */
const leanUndici = `
const Dispatcher = require("undici/lib/dispatcher/dispatcher.js");
Dispatcher.prototype.request = require("undici/lib/api/api-request.js");
// By which it talks to a proxy.
Dispatcher.prototype.connect = require("undici/lib/api/api-connect.js");
exports.Agent = require("undici/lib/dispatcher/agent.js");
Object.defineProperty(exports, "EnvHttpProxyAgent", {
  get: () => require("undici/lib/dispatcher/env-http-proxy-agent.js"),
});
`;

const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

const hosts = join("provider", "hosts");

/** The one file that the engine's dynamic-provider process loads, the provider plugin, and the command. */
const dynamic = { entry: join(hosts, "dynamic", "host.ts"), file: "dynamic.js", licenses: "dynamic.licenses.txt" };
const plugin = {
  entry: join(hosts, "plugin", "main.ts"),
  file: join("plugin", "index.js"),
  licenses: join("plugin", "licenses.txt"),
};
/** What only programs that read load, and the policies: users install Pulumi's own packages and nothing else for them. */
const reads = { entry: join("provider", "functions", "open.ts"), licenses: "reads.licenses.txt" };
const policies = { entry: join("policy", "index.ts"), licenses: "policy.licenses.txt", external: ["@pulumi/*"] };
const pack = { ...policies, entry: join("policy", "pack.ts"), external: ["@pulumi/*", "./index"] };
/** The command, and what only some calls of it need: plots as images, and the emulator. */
const command = [
  { entry: join("cli", "main.ts"), file: "cli.js", licenses: "cli.licenses.txt" },
  { entry: join("cli", "metrics", "svg.ts"), file: "cli-svg.js", licenses: "cli-svg.licenses.txt" },
  { entry: join("emulator", "command.ts"), file: "cli-emulator.js", licenses: "cli-emulator.licenses.txt" },
];

/** What lies beside the plugin: what starts it, on its path or in its folder, and its schema. */
const beside = join(root, "provider", "hosts", "plugin", "folder");
const schema = join(root, "provider", "hosts", "plugin", "schema.json");

/** Makes each of them, and beside it the licenses of what is in it; of what was compiled before, only what they leave out stays. */
export async function bundle(dist) {
  await bundleOne(dynamic, dist);
  await bundleOne(reads, dist);
  await bundleOne(pack, dist);
  await bundleOne(policies, dist);
  for (const each of command) await bundleOne(each, dist);
  await bundlePlugin(dist);
  removeUnreached(dist, ["sdk", "policy", "provider"]);
}

/** Makes the plugin's folder alone. Gives the packages that its bundle holds: their folders, from the checkout's. */
export async function bundlePlugin(dist) {
  const packages = await bundleOne(plugin, dist);
  cpSync(beside, join(dist, "plugin"), { recursive: true });
  cpSync(schema, join(dist, "plugin", "schema.json"));
  return packages;
}

async function bundleOne({ entry, file = entry.replace(/\.ts$/, ".js"), licenses, external = [] }, dist) {
  const { metafile } = await build({
    entryPoints: [join(root, entry)],
    outfile: join(dist, file),
    define: { VERSION: JSON.stringify(version) },
    bundle: true,
    minify: true,
    external,
    platform: "node",
    target: "node22",
    metafile: true,
    logLevel: "warning",
    absWorkingDir: root,
    plugins: [
      {
        name: "lean-undici",
        setup({ onResolve, onLoad }) {
          onResolve({ filter: /^undici$/ }, () => ({ path: "undici", namespace: "lean" }));
          onLoad({ filter: /./, namespace: "lean" }, () => ({ contents: leanUndici, resolveDir: root }));
        },
      },
    ],
  });
  const packages = packagesOf(Object.keys(metafile.inputs));
  writeFileSync(join(dist, licenses), licensesOf(packages));
  return packages;
}

/** The folder of a package that lies in another one's names both. */
const packagesOf = (inputs) =>
  [...new Set(inputs.flatMap((path) => /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? []))].sort();

const licensesOf = (folders) =>
  folders.map((folder) => `${folder.replace("node_modules/", "")}\n\n${licenseIn(join(root, folder))}`).join("\n\n");

/** The text; where a package has none of it, the name of the license. */
function licenseIn(folder) {
  const file = readdirSync(folder).find((name) => /^licen[cs]e(\.|$)/i.test(name));
  return file === undefined
    ? JSON.parse(readFileSync(join(folder, "package.json"), "utf8")).license
    : readFileSync(join(folder, file), "utf8");
}

if (process.argv[1] === import.meta.filename)
  await bundle(resolve(process.argv[2] ?? join(dirname(import.meta.dirname), "dist")));
