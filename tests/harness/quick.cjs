/* global __dirname, process */
const { writeFileSync } = require("node:fs");
const Module = require("node:module");
const { join } = require("node:path");

// A third of a run is Node compiling the same files once more. Program, provider and policy pack load them under different flags of
// V8's, so that one cache for all would be of no use to any.
const [, script = ""] = process.argv;
const kind = ["dynamic-provider", "run-policy-pack"].find((name) => script.includes(name)) ?? "program";
Module.enableCompileCache(join(__dirname, "..", "..", "node_modules", ".cache", "engine-tests", kind));

// Two thirds of what the Pulumi SDK loads in every process it uses only for providers that are closures, which none here is. They are
// loaded once somebody looks into them. npm itself uses the second one at once.
const seldomUsed = script.includes("npm-cli") ? [] : ["typescript", "@npmcli/arborist"];
const load = Module._load;
// A process that loads the package says so, if a test wants to know.
const loaded = process.env.FRONTDOOR_TEST_LOADED;
const isMarked = loaded !== undefined && kind === "dynamic-provider";
Module._load = function (request, ...rest) {
  if (isMarked && request.startsWith("pulumi-frontdoor")) writeFileSync(join(loaded, String(process.pid)), "");
  if (!seldomUsed.includes(request)) return load.call(this, request, ...rest);
  const get = (_, key) => key === "__esModule" || load.call(this, request, ...rest)[key];
  return new Proxy({}, { get });
};
