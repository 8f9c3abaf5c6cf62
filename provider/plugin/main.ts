import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type PluginAttach, PluginInfo } from "@pulumi/pulumi/proto/plugin_pb";
import {
  type CheckRequest,
  type ConfigureRequest,
  type CreateRequest,
  type DeleteRequest,
  type DiffRequest,
  GetMappingResponse,
  GetMappingsResponse,
  GetSchemaResponse,
  type InvokeRequest,
  type ListRequest,
  type ProviderHandshakeRequest,
  ProviderHandshakeResponse,
  type ReadRequest,
  type UpdateRequest,
} from "@pulumi/pulumi/proto/provider_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { failed } from "../errors";
import type { Service } from "../service";
import { systemClock } from "../time/clock";
import { engineAddress, watchEngine } from "../engine/process";
import { openHere } from "../engine/open";
import { checkedConfiguration } from "./configuration";
import { EngineLog } from "./engine-log";
import { Functions } from "./functions";
import { holdHeap } from "./heap";
import { Host } from "./adapter";
import { isWatched, Progress } from "./progress";
import { serve } from "./server";

/** The package's version, written in where the plugin is bundled. */
declare const VERSION: string;

/** The provider plugin as a process: the engine starts one for each configuration, and reads the port from its output. */
class Plugin {
  private readonly log = new EngineLog();
  private readonly host: Host;
  private service: Service | undefined;
  private functions: Functions | undefined;
  private isCancelled = false;

  constructor(address: string | undefined) {
    if (address !== undefined) this.log.connect(address);
    const tell = (urn: string, line: string) => {
      this.log.show(urn, line);
    };
    const progress = new Progress(tell, isWatched(process.env), () => systemClock.now());
    this.host = new Host({
      environment: process.env,
      open: (config) => {
        this.service = openHere(config, (line) => {
          this.log.say(line);
        });
        this.functions = new Functions(this.service);
        return this.service;
      },
      showProgress: (urn, line) => {
        progress.show(urn, line);
      },
    });
    watchEngine({
      // What is cut off may not have been saved.
      onInterrupt: () => {
        if (!this.isCancelled) this.service?.saved();
      },
      onGone: () => this.service?.stop(),
    });
  }

  async listen(): Promise<number> {
    const { host } = this;
    const { port } = await serve({
      handshake: (request: ProviderHandshakeRequest) => {
        this.log.connect(request.getEngineAddress());
        return new ProviderHandshakeResponse().setAcceptSecrets(true).setSupportsAutonamingConfiguration(true);
      },
      attach: (request: PluginAttach) => {
        this.log.connect(request.getAddress());
        return new Empty();
      },
      getPluginInfo: () => new PluginInfo().setVersion(VERSION),
      getSchema: () => new GetSchemaResponse().setSchema(readFileSync(join(__dirname, "schema.json"), "utf8")),
      getMapping: () => new GetMappingResponse(),
      getMappings: () => new GetMappingsResponse(),
      checkConfig: (request: CheckRequest) => checkedConfiguration(request, process.env),
      diffConfig: (request: DiffRequest) => host.diffConfig(request),
      configure: (request: ConfigureRequest) => host.configure(request),
      check: (request: CheckRequest) => host.check(request),
      diff: (request: DiffRequest) => host.diff(request),
      create: (request: CreateRequest) => {
        holdHeap();
        return this.written(host.create(request));
      },
      read: (request: ReadRequest) => host.read(request),
      update: (request: UpdateRequest) => this.written(host.update(request)),
      delete: async (request: DeleteRequest) => {
        await this.written(host.delete(request));
        return new Empty();
      },
      invoke: (request: InvokeRequest) => this.reading().invoke(request),
      list: (request: ListRequest) => this.reading().list(request),
      cancel: () => {
        this.isCancelled = true;
        this.service?.stop();
        return new Empty();
      },
    });
    return port;
  }

  private async written<Response>(write: Promise<Response>): Promise<Response> {
    try {
      return await write;
    } finally {
      this.functions?.forget();
    }
  }

  private reading(): Functions {
    if (this.functions) return this.functions;
    throw failed("the engine has not configured the provider");
  }
}

void new Plugin(engineAddress(process.argv)).listen().then((port) => process.stdout.write(`${port}\n`));
