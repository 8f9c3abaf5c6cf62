import { build } from "esbuild";
const [, , entry, out] = process.argv;
await build({ entryPoints: [entry], bundle: true, platform: "node", packages: "external", outfile: out, logLevel: "warning" });
