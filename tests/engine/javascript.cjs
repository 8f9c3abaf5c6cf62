/* global __dirname, process */
const { enableCompileCache } = require("node:module");
const { join } = require("node:path");

delete process.env.PULUMI_NODEJS_TYPESCRIPT;

// A third of a run is Node compiling the same files once more. Program and provider load them under different flags of V8's, so that
// one cache for both would be of no use to either.
const kind = process.argv[1]?.includes("dynamic-provider") ? "provider" : "program";
enableCompileCache(join(__dirname, "..", "..", "node_modules", ".cache", "engine-tests", kind));
