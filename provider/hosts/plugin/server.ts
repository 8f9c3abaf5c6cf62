import {
  Metadata,
  type sendUnaryData,
  Server,
  ServerCredentials,
  type ServerUnaryCall,
  type ServerWritableStream,
  type ServiceError,
  status,
  type UntypedServiceImplementation,
} from "@grpc/grpc-js";
import { ResourceProviderService } from "@pulumi/pulumi/proto/provider_grpc_pb";
import type { ListRequest, ListResponse } from "@pulumi/pulumi/proto/provider_pb";
import { Status } from "@pulumi/pulumi/proto/status_pb";
import { Any } from "google-protobuf/google/protobuf/any_pb";
import { PartlyMade } from "./host";

/** One call of the protocol. @throws PartlyMade, or any error with a message for people. */
type Method = (request: never) => unknown;

/** Calls of Pulumi's protocol by name; what is missing is answered as not implemented. */
export interface Methods {
  list: (request: ListRequest) => AsyncIterable<ListResponse>;
  [name: string]: Method;
}

/** Listens on loopback for the engine; returns the port. */
export async function serve({ list, ...methods }: Methods): Promise<number> {
  const server = new Server({ "grpc.max_receive_message_length": -1, "grpc.max_send_message_length": -1 });
  const handlers: UntypedServiceImplementation = { list: streamedBy(list) };
  for (const [name, method] of Object.entries(methods)) handlers[name] = answeredBy(method);
  server.addService(ResourceProviderService, handlers);
  return new Promise((resolve, reject) => {
    server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, port) => {
      if (error) reject(error);
      else resolve(port);
    });
  });
}

const answeredBy = (method: Method) => (call: ServerUnaryCall<unknown, unknown>, callback: sendUnaryData<unknown>) => {
  const answer = new Promise((resolve) => {
    // Of the type that the protocol has for it.
    resolve(method(call.request as never));
  });
  answer.then(
    (response) => {
      callback(null, response);
    },
    (error: unknown) => {
      callback(refusal(error));
    },
  );
};

const streamedBy = (list: Methods["list"]) => (call: ServerWritableStream<ListRequest, ListResponse>) => {
  const stream = async () => {
    for await (const each of list(call.request)) call.write(each);
    call.end();
  };
  stream().catch((error: unknown) => {
    call.destroy(Object.assign(new Error(), refusal(error)));
  });
};

/** An error as the engine understands it: with what exists all the same, where something does. */
function refusal(error: unknown): Partial<ServiceError> {
  const details = error instanceof Error ? error.message : String(error);
  if (!(error instanceof PartlyMade)) return { code: status.UNKNOWN, details };
  const detail = new Any();
  detail.pack(error.detail.serializeBinary(), "pulumirpc.ErrorResourceInitFailed");
  const whole = new Status().setCode(status.UNKNOWN).setMessage(details).setDetailsList([detail]);
  const metadata = new Metadata();
  metadata.add("grpc-status-details-bin", Buffer.from(whole.serializeBinary()));
  return { code: status.UNKNOWN, details, metadata };
}
