/* global __dirname, process */
const { enableCompileCache } = require("node:module");
const { join } = require("node:path");

// A third of a run is Node compiling the same files once more. Program, provider and policy pack load them under different flags of
// V8's, so that one cache for all would be of no use to any.
const [, script = ""] = process.argv;
const kind = ["dynamic-provider", "run-policy-pack"].find((name) => script.includes(name)) ?? "program";
enableCompileCache(join(__dirname, "..", "..", "node_modules", ".cache", "engine-tests", kind));
