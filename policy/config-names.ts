import { createRequire } from "node:module";
import { near } from "../provider/nearest";

interface Request {
  getPolicyconfigMap(): { keys(): Iterable<string> };
}
interface Services {
  AnalyzerService: { configure: { requestDeserialize: (bytes: Uint8Array) => Request } };
}

/**
 * From this call on, a configuration with an unknown policy name stops the command. The engine passes such names on and @pulumi/policy
 * ignores them, so a misspelt name would silently leave a rule at its default.
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
    const error = new Error(
      `the configuration names unknown policies: ${unknown.sort().join(", ")}. Nothing was checked. ${remedyFor(unknown, names)} [unknown-policy]`,
    );
    // The engine prints the stack, which does not help the author of the configuration.
    error.stack = error.message;
    // The engine would hide the words of an error thrown here.
    request.getPolicyconfigMap = () => {
      throw error;
    };
    return request;
  };
}

function remedyFor(unknown: readonly string[], names: readonly string[]): string {
  const meant = unknown.flatMap((name) => near(name, names, 1));
  return meant.length === 0 ? "Correct the names." : `Did you mean ${meant.join(", ")}?`;
}
