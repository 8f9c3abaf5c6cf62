import { readFileSync } from "node:fs";
import { join } from "node:path";
import { callbackify } from "node:util";
import * as grpc from "@grpc/grpc-js";
import { PluginInfo } from "@pulumi/pulumi/proto/plugin_pb";
import { ResourceProviderService } from "@pulumi/pulumi/proto/provider_grpc_pb";
import * as messages from "@pulumi/pulumi/proto/provider_pb";
import { Status } from "@pulumi/pulumi/proto/status_pb";
import { Any } from "google-protobuf/google/protobuf/any_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { EngineLog, watchEngine } from "./engine";
import { openHost } from "./host";
import { checkedConfiguration, diffOfConfiguration, PartlyCreated, PluginAdapter } from "./plugin";

// The provider plugin as a process: the engine starts one for each configuration, and reads the port from the process's output.

/** For the bundle of components. */
export { grpc };
export * as sites from "../resources/site";

/** The plugin's schema, with the version of the package: each pack of a checkout has its own. */
const schemaText = () => readFileSync(join(__dirname, "schema.json"), "utf8");
const version = () => (JSON.parse(schemaText()) as { version: string }).version;

/** The bundle of sdk/plugin/component.ts, with messages of its own. */
interface Component {
  construct: (request: Uint8Array, engine: string, self: string) => Promise<Uint8Array>;
}

const log = new EngineLog();
const adapter = new PluginAdapter((config) => openHost(config, (line) => void log.say(line), log), process.env);

/** The calls of Pulumi's protocol. A missing one is answered as not implemented. */
const methods: Record<string, (request: never) => unknown> = {
  handshake: (request: messages.ProviderHandshakeRequest) => {
    log.connect(request.getEngineAddress());
    const response = new messages.ProviderHandshakeResponse().setAcceptSecrets(true).setAcceptOutputs(true);
    return response.setSupportsAutonamingConfiguration(true);
  },
  attach: (request: { getAddress: () => string }) => {
    log.connect(request.getAddress());
    return new Empty();
  },
  getPluginInfo: () => new PluginInfo().setVersion(version()),
  getSchema: () => new messages.GetSchemaResponse().setSchema(schemaText()),
  getMapping: () => new messages.GetMappingResponse(),
  getMappings: () => new messages.GetMappingsResponse(),
  checkConfig: (request: messages.CheckRequest) => checkedConfiguration(request, process.env),
  diffConfig: diffOfConfiguration,
  cancel: () => {
    adapter.session?.host.service.stop();
    return new Empty();
  },
  configure: (request: messages.ConfigureRequest) => adapter.configure(request),
  check: (request: messages.CheckRequest) => adapter.check(request),
  diff: (request: messages.DiffRequest) => adapter.diff(request),
  create: (request: messages.CreateRequest) => adapter.create(request),
  read: (request: messages.ReadRequest) => adapter.read(request),
  update: (request: messages.UpdateRequest) => adapter.update(request),
  delete: async (request: messages.DeleteRequest) => {
    await adapter.delete(request);
    return new Empty();
  },
  invoke: (request: messages.InvokeRequest) => adapter.invoke(request),
  construct: async (request: messages.ConstructRequest) => {
    // Only a run with a component loads this file.
    // eslint-disable-next-line @typescript-eslint/no-require-imports
    const { construct } = require("./component.js") as Component;
    const response = await construct(request.serializeBinary(), log.address ?? "", adapter.reference);
    return messages.ConstructResponse.deserializeBinary(response);
  },
};

watchEngine(() => (adapter.session ? [adapter.session.host.service] : []), log.say);

const server = new grpc.Server({ "grpc.max_receive_message_length": -1, "grpc.max_send_message_length": -1 });
const calls = Object.entries(methods).map(([name, method]) => [name, answeredBy(method)] as const);
server.addService(ResourceProviderService, { ...Object.fromEntries(calls), list });
server.bindAsync("127.0.0.1:0", grpc.ServerCredentials.createInsecure(), (error, port) => {
  if (error) throw error;
  process.stdout.write(`${port}\n`);
});

function answeredBy(method: (request: never) => unknown): grpc.handleUnaryCall<unknown, unknown> {
  // The request has the type that the protocol gives this call.
  const answer = callbackify((request: unknown) => Promise.resolve(request as never).then(method));
  return ({ request }, callback) => {
    answer(request, (error: Error | null, response) => {
      callback(error && refusal(error), response);
    });
  };
}

function list(call: grpc.ServerWritableStream<messages.ListRequest, messages.ListResponse>): void {
  const stream = async () => {
    for await (const each of adapter.list(call.request)) call.write(each);
    call.end();
  };
  stream().catch((error: unknown) => {
    call.destroy(Object.assign(new Error(), refusal(error)));
  });
}

/** Returns an error as the engine understands it, with the resource if one exists in spite of the error. */
function refusal(error: unknown): Partial<grpc.ServiceError> {
  const details = error instanceof Error ? error.message : String(error);
  if (!(error instanceof PartlyCreated)) return { code: grpc.status.UNKNOWN, details };
  const detail = new Any();
  detail.pack(error.detail.serializeBinary(), "pulumirpc.ErrorResourceInitFailed");
  const whole = new Status().setCode(grpc.status.UNKNOWN).setMessage(details).setDetailsList([detail]);
  const metadata = new grpc.Metadata();
  metadata.add("grpc-status-details-bin", Buffer.from(whole.serializeBinary()));
  return { code: grpc.status.UNKNOWN, details, metadata };
}
