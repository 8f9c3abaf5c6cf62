/* global process, require, setTimeout */
// A plugin's floor: what the engine, gRPC and Pulumi's SDK cost with a provider that does nothing.
const { Server, ServerCredentials } = require("@grpc/grpc-js");
const { ResourceProviderService } = require("@pulumi/pulumi/proto/provider_grpc_pb");
const { PluginInfo } = require("@pulumi/pulumi/proto/plugin_pb");
const proto = require("@pulumi/pulumi/proto/provider_pb");
const { Empty } = require("google-protobuf/google/protobuf/empty_pb");

// Where a service would take time it sleeps as long.
const provisionMs = Number(process.env.BENCH_PROVISION_SECONDS ?? 0) * 1000;
const teardownMs = Math.min(provisionMs, 1000);
const after = (ms, answer) => (ms > 0 ? new Promise((resolve) => setTimeout(resolve, ms, answer)) : answer);
const nameIn = (struct) => struct.getFieldsMap().get("name").getStringValue();

const methods = {
  handshake: () => new proto.ProviderHandshakeResponse().setAcceptSecrets(true),
  getPluginInfo: () => new PluginInfo().setVersion("1.0.0"),
  checkConfig: (asked) => new proto.CheckResponse().setInputs(asked.getNews()),
  diffConfig: () => new proto.DiffResponse(),
  configure: () => new proto.ConfigureResponse().setAcceptsecrets(true).setSupportspreview(true),
  check: (asked) => new proto.CheckResponse().setInputs(asked.getNews()),
  diff: () => new proto.DiffResponse().setChanges(proto.DiffResponse.DiffChanges.DIFF_NONE),
  create: (asked) => {
    const properties = asked.getProperties();
    return after(provisionMs, new proto.CreateResponse().setId(nameIn(properties)).setProperties(properties));
  },
  read: (asked) =>
    new proto.ReadResponse().setId(asked.getId()).setProperties(asked.getProperties()).setInputs(asked.getInputs()),
  delete: () => after(teardownMs, new Empty()),
  cancel: () => new Empty(),
};

const server = new Server({ "grpc.max_receive_message_length": -1, "grpc.max_send_message_length": -1 });
const handlers = Object.entries(methods).map(([name, method]) => [
  name,
  async ({ request }, callback) => callback(null, await method(request)),
]);
server.addService(ResourceProviderService, Object.fromEntries(handlers));
server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (_, port) => process.stdout.write(`${port}\n`));
