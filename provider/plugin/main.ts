import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { PluginInfo } from "@pulumi/pulumi/proto/plugin_pb";
import * as messages from "@pulumi/pulumi/proto/provider_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import type { Config } from "../config";
import { engineAddress, EngineLog, openHere, resourceLinesIn, watchEngine } from "../engine/engine";
import { checkedConfiguration, diffOfConfiguration, PluginAdapter } from "./adapter";
import { type Methods, serve } from "./server";

// The provider plugin as a process: the engine starts one for each configuration, and reads the port from the process's output.

/** The package's version, written in when the plugin is bundled. */
declare const VERSION: string;

const log = new EngineLog();
const address = engineAddress(process.argv);
if (address !== undefined) log.connect(address);
const open = (config: Config) =>
  openHere(config, (line) => {
    log.say(line);
  });
const adapter = new PluginAdapter({ environment: process.env, open, ...resourceLinesIn(log) });
let isCancelled = false;

/** Returns the answer to a write. The functions forget what they read before it. */
async function written<Response>(write: Promise<Response>): Promise<Response> {
  try {
    return await write;
  } finally {
    adapter.opened?.functions.forget();
  }
}

const methods: Methods = {
  handshake: (request: messages.ProviderHandshakeRequest) => {
    log.connect(request.getEngineAddress());
    return new messages.ProviderHandshakeResponse().setAcceptSecrets(true).setSupportsAutonamingConfiguration(true);
  },
  attach: (request: { getAddress: () => string }) => {
    log.connect(request.getAddress());
    return new Empty();
  },
  getPluginInfo: () => new PluginInfo().setVersion(VERSION),
  getSchema: () => new messages.GetSchemaResponse().setSchema(readFileSync(join(__dirname, "schema.json"), "utf8")),
  getMapping: () => new messages.GetMappingResponse(),
  getMappings: () => new messages.GetMappingsResponse(),
  checkConfig: (request: messages.CheckRequest) => checkedConfiguration(request, process.env),
  diffConfig: diffOfConfiguration,
  cancel: () => {
    isCancelled = true;
    adapter.opened?.service.stop();
    return new Empty();
  },
  configure: (request) => adapter.configure(request),
  check: (request) => adapter.check(request),
  diff: (request) => adapter.diff(request),
  create: (request) => {
    limitHeap();
    return written(adapter.create(request));
  },
  read: (request) => adapter.read(request),
  update: (request) => written(adapter.update(request)),
  delete: (request) => written(adapter.delete(request)).then(() => new Empty()),
  invoke: (request) => adapter.functions.invoke(request),
  list: (request) => adapter.functions.list(request),
};

watchEngine({
  // A cancelled write may be in no state.
  onInterrupt: () => {
    if (!isCancelled) adapter.opened?.service.endRun();
  },
  onGone: () => adapter.opened?.service.stop(),
});
void serve(methods).then(({ port }) => process.stdout.write(`${port}\n`));

/**
 * Limits the heap to what it needs. That halves the memory of a process with 1,000 waiting shares, for no more processor time
 * (bench/README.md). The start stays fast, since the limit holds only from the first create on.
 */
function limitHeap(): void {
  setFlagsFromString("--semi-space-growth-factor=1");
  setFlagsFromString("--heap-growing-percent=10");
}
