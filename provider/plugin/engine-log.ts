import { credentials } from "@grpc/grpc-js";
import { EngineClient } from "@pulumi/pulumi/proto/engine_grpc_pb";
import { LogRequest, LogSeverity } from "@pulumi/pulumi/proto/engine_pb";

/** Shows lines of the provider's among the run's. */
export class EngineLog {
  private client: EngineClient | undefined;

  /** The engine's own address; it may be told, or told anew, after the start. */
  connect(address: string): void {
    this.client = new EngineClient(address, credentials.createInsecure());
  }

  /** Says something that the run's messages keep; of no resource where no URN is given. */
  say(line: string, urn = ""): void {
    this.log(new LogRequest().setMessage(line).setUrn(urn));
  }

  /** Shows how something stands, until the next line about it. */
  show(urn: string, line: string): void {
    this.log(new LogRequest().setMessage(line).setUrn(urn).setEphemeral(true));
  }

  private log(request: LogRequest): void {
    // Nothing depends on it: an engine that is gone takes no lines.
    this.client?.log(request.setSeverity(LogSeverity.INFO), () => undefined);
  }
}
