import { createRequire } from "node:module";

interface Requests {
  ConfigureAnalyzerRequest: { prototype: { getPolicyconfigMap: (this: object) => { keys(): Iterable<string> } } };
}

/**
 * From now on a configuration with settings for a policy that there is none of stops the command: the engine hands such names on, and
 * @pulumi/policy passes over them, so that a misspelt name left a rule at its default without a word.
 */
export function refuseUnknownNames(names: readonly string[]): void {
  const known = new Set([...names, "all"]);
  const ofPolicy = createRequire(createRequire(__filename).resolve("@pulumi/policy"));
  const { prototype } = (ofPolicy("@pulumi/pulumi/proto/analyzer_pb.js") as Requests).ConfigureAnalyzerRequest;
  const { getPolicyconfigMap } = prototype;
  prototype.getPolicyconfigMap = function () {
    const config = getPolicyconfigMap.call(this);
    const unknown = [...config.keys()].filter((name) => !known.has(name));
    if (unknown.length === 0) return config;
    const error = new Error(`the configuration names policies that there are none of: ${unknown.sort().join(", ")}`);
    // The engine prints the stack, which is of no use to whoever wrote the configuration.
    error.stack = error.message;
    throw error;
  };
}
