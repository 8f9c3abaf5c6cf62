import { credentials, Metadata } from "@grpc/grpc-js";
import { EngineClient } from "@pulumi/pulumi/proto/engine_grpc_pb";
import { LogRequest, LogSeverity } from "@pulumi/pulumi/proto/engine_pb";

/** Shows lines of the provider among the run's. An engine that is gone takes no lines, and nothing depends on them. */
export class EngineLog {
  private client: EngineClient | undefined;

  /** Connects to the engine. The engine may call again with another address. */
  connect(address: string): void {
    this.client = new EngineClient(address, credentials.createInsecure());
  }

  /** Shows a line that stays among the messages of the run. */
  say(line: string): void {
    void this.log(new LogRequest().setMessage(line));
  }

  /** Shows a line beside the resource of this URN until the next line about that resource. */
  async show(urn: string, line: string): Promise<void> {
    await this.log(new LogRequest().setMessage(line).setUrn(urn).setEphemeral(true));
  }

  private log(request: LogRequest): Promise<void> {
    const { client } = this;
    if (!client) return Promise.resolve();
    return new Promise((resolve) => {
      client.log(request.setSeverity(LogSeverity.INFO), new Metadata(), { deadline: Date.now() + 1_000 }, () => {
        resolve();
      });
    });
  }
}
