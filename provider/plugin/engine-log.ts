import { credentials } from "@grpc/grpc-js";
import { EngineClient } from "@pulumi/pulumi/proto/engine_grpc_pb";
import { LogRequest, LogSeverity } from "@pulumi/pulumi/proto/engine_pb";

/** Shows lines of the provider among the run's. An engine that is gone takes no lines, and nothing depends on them. */
export class EngineLog {
  private client: EngineClient | undefined;

  /** Takes the engine's own address, also if the engine tells another one after the start. */
  connect(address: string): void {
    this.client = new EngineClient(address, credentials.createInsecure());
  }

  /** Says a line that the run's messages keep. */
  say(line: string): void {
    this.log(new LogRequest().setMessage(line));
  }

  /** Shows a line beside the resource of this URN until the next line about that resource. */
  show(urn: string, line: string): void {
    this.log(new LogRequest().setMessage(line).setUrn(urn).setEphemeral(true));
  }

  private log(request: LogRequest): void {
    this.client?.log(request.setSeverity(LogSeverity.INFO), () => undefined);
  }
}
