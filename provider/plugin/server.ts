import { createServer, type AddressInfo, type Socket } from "node:net";
import * as grpc from "@grpc/grpc-js";
import { ResourceProviderService } from "@pulumi/pulumi/proto/provider_grpc_pb";
import type { ListRequest, ListResponse } from "@pulumi/pulumi/proto/provider_pb";
import { Status } from "@pulumi/pulumi/proto/status_pb";
import { Any } from "google-protobuf/google/protobuf/any_pb";
import { peerCheck } from "./peer";
import { PartlyCreated } from "./responses";

/** One call of the protocol. @throws PartlyCreated, or any error with a message for people. */
type Method = (request: never) => unknown;

/** Calls of Pulumi's protocol by name. A missing call is answered as not implemented. */
export interface Methods {
  list: (request: ListRequest) => AsyncIterable<ListResponse>;
  [name: string]: Method;
}

/** Listens on loopback for the engine; returns the port. Every call of a connection that `isOwn` denies is refused. */
export async function serve({ list, ...methods }: Methods, isOwn = peerCheck(), limits = limitsOfRefused) {
  const handlers: grpc.UntypedServiceImplementation = { list: streamedBy(list) };
  for (const [name, method] of Object.entries(methods)) handlers[name] = answeredBy(method);
  const own = connections(handlers);
  const foreign = refusedConnections(limits);
  const server = createServer((socket) => {
    (isOwn(socket) ? own : foreign).injectConnection(socket);
  });
  await new Promise<void>((resolve, reject) => {
    server.on("error", reject).listen(0, "127.0.0.1", resolve);
  });
  const close = () => {
    for (const each of [own, foreign]) each.destroy();
    server.close();
  };
  return { port: (server.address() as AddressInfo).port, close };
}

/** Serves the protocol on the connections that it is given. */
function connections(handlers: grpc.UntypedServiceImplementation, interceptors: grpc.ServerInterceptor[] = []) {
  const sizes = { "grpc.max_receive_message_length": -1, "grpc.max_send_message_length": -1 };
  const server = new grpc.Server({ ...sizes, interceptors });
  server.addService(ResourceProviderService, handlers);
  return server.createConnectionInjector(grpc.ServerCredentials.createInsecure());
}

/** The limits of refused connections: they use descriptors of this process, so another user gets few, each for a short time. */
const limitsOfRefused = { openMs: 2000, atMost: 16 };

/** Refuses every call on the connections that it is given, and ends each connection when its time is over. */
function refusedConnections({ openMs, atMost }: typeof limitsOfRefused) {
  const injector = connections({}, [refusing]);
  const open = new Set<Socket>();
  const injectConnection = (socket: Socket) => {
    if (open.size >= atMost) {
      socket.destroy();
      return;
    }
    open.add(socket);
    const timer = setTimeout(() => socket.destroy(), openMs).unref();
    socket.once("close", () => {
      clearTimeout(timer);
      open.delete(socket);
    });
    injector.injectConnection(socket);
  };
  const destroy = () => {
    injector.destroy();
    for (const socket of open) socket.destroy();
  };
  return { injectConnection, destroy };
}

const refusing: grpc.ServerInterceptor = (_method, call) =>
  new grpc.ServerInterceptingCall(call, {
    start: () => {
      call.sendStatus({ code: grpc.status.PERMISSION_DENIED, details: ofAnotherUser });
    },
  });

const ofAnotherUser =
  "frontdoor: another user called this provider process, which answers only the user who started it. Nothing was done. Run Pulumi as that user. [other-user]";

const answeredBy =
  (method: Method) => (call: grpc.ServerUnaryCall<unknown, unknown>, callback: grpc.sendUnaryData<unknown>) => {
    // The request has the type that the protocol gives this call.
    const request = Promise.resolve(call.request as never);
    request.then(method).then(
      (response) => {
        callback(null, response);
      },
      (error: unknown) => {
        callback(refusal(error));
      },
    );
  };

const streamedBy = (list: Methods["list"]) => (call: grpc.ServerWritableStream<ListRequest, ListResponse>) => {
  const stream = async () => {
    for await (const each of list(call.request)) call.write(each);
    call.end();
  };
  stream().catch((error: unknown) => {
    call.destroy(Object.assign(new Error(), refusal(error)));
  });
};

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
