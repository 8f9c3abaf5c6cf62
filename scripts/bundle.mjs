import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { build } from "esbuild";
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

/** Makes the one file that the engine's provider process loads, and beside it the licenses of what is in it. */
export async function bundle(dist) {
  const { metafile } = await build({
    entryPoints: [join(root, "provider", "hosts", "dynamic", "host.ts")],
    outfile: join(dist, "dynamic.js"),
    bundle: true,
    minify: true,
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
  writeFileSync(join(dist, "dynamic.licenses.txt"), licenses(Object.keys(metafile.inputs)));
}

function licenses(inputs) {
  const folders = inputs.flatMap((path) => /^node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? []);
  return [...new Set(folders)]
    .sort()
    .map((folder) => `${folder.replace("node_modules/", "")}\n\n${readFileSync(join(root, folder, "LICENSE"), "utf8")}`)
    .join("\n\n");
}

if (process.argv[1] === import.meta.filename)
  await bundle(resolve(process.argv[2] ?? join(dirname(import.meta.dirname), "dist")));
