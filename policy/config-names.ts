import { createRequire } from "node:module";

interface Request {
  getPolicyconfigMap(): { keys(): Iterable<string> };
}
interface Services {
  AnalyzerService: { configure: { requestDeserialize: (bytes: Uint8Array) => Request } };
}

/**
 * From now on a configuration with settings for a policy that there is none of stops the command: the engine hands such names on, and
 * @pulumi/policy passes over them, so that a misspelt name left a rule at its default without a word.
 */
export function refuseUnknownNames(names: readonly string[]): void {
  const known = new Set([...names, "all"]);
  const ofPolicy = createRequire(createRequire(__filename).resolve("@pulumi/policy"));
  const { configure } = (ofPolicy("@pulumi/pulumi/proto/analyzer_grpc_pb.js") as Services).AnalyzerService;
  const { requestDeserialize } = configure;
  configure.requestDeserialize = (bytes) => {
    const request = requestDeserialize(bytes);
    const unknown = [...request.getPolicyconfigMap().keys()].filter((name) => !known.has(name));
    if (unknown.length === 0) return request;
    const error = new Error(`the configuration names policies that there are none of: ${unknown.sort().join(", ")}`);
    // The engine prints the stack, which is of no use to whoever wrote the configuration.
    error.stack = error.message;
    // Of an error right here the engine would say only that a request could not be read.
    request.getPolicyconfigMap = () => {
      throw error;
    };
    return request;
  };
}
