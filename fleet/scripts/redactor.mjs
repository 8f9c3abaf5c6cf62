// Bundles the provider's redactor for this package: `node scripts/redactor.mjs dist`.
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const here = fileURLToPath(new URL("..", import.meta.url));

/** Writes `redactor.js` to a folder of this package. Its types are in `src/redactor.d.ts`. */
export async function bundleRedactor(folder) {
  // A fresh checkout has esbuild only after its set-up.
  const { build } = await import("esbuild");
  await build({
    entryPoints: [join(here, "..", "provider", "http", "redact.ts")],
    outfile: join(here, folder, "redactor.js"),
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node22",
    logLevel: "error",
  });
}

if (process.argv[2] && process.argv[1] === fileURLToPath(import.meta.url)) await bundleRedactor(process.argv[2]);
