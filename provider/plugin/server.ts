import { createServer, type AddressInfo, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
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

/**
 * Listens on loopback for the engine; returns the port. Refuses every call of a connection if several reads of the kernel's tables agree
 * that it is another user's. If the tables name no owners, nothing is refused.
 */
export async function serve({ list, ...methods }: Methods, check = peerCheck(), limits = limitsOfRefused) {
  const handlers: grpc.UntypedServiceImplementation = { list: streamedBy(list) };
  for (const [name, method] of Object.entries(methods)) handlers[name] = answeredBy(method);
  const own = connections(handlers);
  const foreign = refusedConnections(limits);
  let undecided = 0;
  const decide = async (socket: Socket) => {
    undecided += 1;
    socket.on("error", ignore);
    await sleep(betweenReadsMs);
    const isAdmitted = !(await hasOwners) || (await isEver(() => check.isOwn(socket), mostReads - 1));
    undecided -= 1;
    socket.off("error", ignore);
    (isAdmitted ? own : foreign).injectConnection(socket);
  };
  const server = createServer((socket) => {
    // The engine does not wait. A stranger who opens many connections gets no second read.
    if (check.isOwn(socket)) own.injectConnection(socket);
    else if (foreign.isFull(undecided)) socket.destroy();
    else void decide(socket);
  });
  await new Promise<void>((resolve, reject) => {
    server.on("error", reject).listen(0, "127.0.0.1", resolve);
  });
  const { port } = server.address() as AddressInfo;
  const hasOwners = isEver(() => check.hasOwners({ address: "127.0.0.1", port }), mostReads);
  const close = () => {
    for (const each of [own, foreign]) each.destroy();
    server.close();
  };
  return { port, close };
}

const ignore = () => undefined;

/** Together 200 ms. */
const [mostReads, betweenReadsMs] = [5, 50];

/** Asks up to so many times. True as soon as one answer is true. */
async function isEver(ask: () => boolean, times: number): Promise<boolean> {
  for (let asked = 1; !ask(); asked++) {
    if (asked === times) return false;
    await sleep(betweenReadsMs);
  }
  return true;
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
  const isFull = (others = 0) => open.size + others >= atMost;
  const injectConnection = (socket: Socket) => {
    if (isFull()) {
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
  return { injectConnection, isFull, destroy };
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
