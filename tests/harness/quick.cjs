/* global __dirname, process */
const Module = require("node:module");
const { join } = require("node:path");

// A third of a run is Node compiling the same files once more. Program, provider and policy pack load them under different flags of
// V8's, so that one cache for all would be of no use to any.
const [, script = ""] = process.argv;
const kind = ["dynamic-provider", "run-policy-pack"].find((name) => script.includes(name)) ?? "program";
Module.enableCompileCache(join(__dirname, "..", "..", "node_modules", ".cache", "engine-tests", kind));

// The Pulumi SDK loads the TypeScript compiler in every process, but uses it only for providers that are closures. It is loaded once
// somebody looks into it.
const load = Module._load;
Module._load = function (request, ...rest) {
  if (request !== "typescript") return load.call(this, request, ...rest);
  return new Proxy({}, { get: (_, key) => load.call(this, request, ...rest)[key] });
};
