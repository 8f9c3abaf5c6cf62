import { createRequire } from "node:module";

interface Request {
  getConfigMap(): { entries(): Iterable<[string, string]> };
  getConfigSecretKeysList(): string[];
}
interface Services {
  AnalyzerService: { configureStack: { requestDeserialize: (bytes: Uint8Array) => Request } };
}

/** The plain values of the stack's configuration, by key such as `frontdoor:token`. */
let plain: readonly [key: string, value: string][] = [];

// The engine sends the stack's configuration and its secret keys to a pack. @pulumi/policy drops both, so this module reads them.
const ofPolicy = createRequire(createRequire(__filename).resolve("@pulumi/policy"));
const { configureStack } = (ofPolicy("@pulumi/pulumi/proto/analyzer_grpc_pb.js") as Services).AnalyzerService;
const { requestDeserialize } = configureStack;
configureStack.requestDeserialize = (bytes) => {
  const request = requestDeserialize(bytes);
  const secrets = request.getConfigSecretKeysList();
  plain = [...request.getConfigMap().entries()].filter(([key]) => !secrets.includes(key));
  return request;
};

/** Returns the keys of the stack's configuration with this plain value; none if the engine has not sent the configuration. */
export const plainKeysOf = (value: string): string[] => plain.flatMap(([key, each]) => (each === value ? key : []));
