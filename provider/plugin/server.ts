import { promisify } from "node:util";
import * as grpc from "@grpc/grpc-js";
import { ResourceProviderService } from "@pulumi/pulumi/proto/provider_grpc_pb";
import * as messages from "@pulumi/pulumi/proto/provider_pb";
import type { ListRequest, ListResponse } from "@pulumi/pulumi/proto/provider_pb";
import { Status } from "@pulumi/pulumi/proto/status_pb";
import { Any } from "google-protobuf/google/protobuf/any_pb";
import { type JavaScriptValue, ListValue, Struct, Value } from "google-protobuf/google/protobuf/struct_pb";
import { decodedValue, isHiddenInput, secretMark, unknownText } from "../engine/engine";
import { has, UNKNOWN, valueOf } from "../fields/field";
import {
  type Change,
  type Declaration,
  type Diff,
  type Failure,
  type OperationOptions,
  type Outcome,
  propertyOf,
  secretOutputsWith,
  type Seen,
} from "../lifecycle/lifecycle";
import { resources } from "../resources";

/** One call of the protocol. @throws PartlyCreated, or any error with a message for people. */
type Method = (request: never) => unknown;

/** Calls of Pulumi's protocol by name. A missing call is answered as not implemented. */
export interface Methods {
  list: (request: ListRequest) => AsyncIterable<ListResponse>;
  [name: string]: Method;
}

/** Listens on loopback for the engine; returns the port. */
export async function serve({ list, ...methods }: Methods): Promise<{ port: number; close: () => void }> {
  const handlers: grpc.UntypedServiceImplementation = { list: streamedBy(list) };
  for (const [name, method] of Object.entries(methods)) handlers[name] = answeredBy(method);
  const server = new grpc.Server({ "grpc.max_receive_message_length": -1, "grpc.max_send_message_length": -1 });
  server.addService(ResourceProviderService, handlers);
  const bind = promisify(server.bindAsync.bind(server));
  const port = await bind("127.0.0.1:0", grpc.ServerCredentials.createInsecure());
  return {
    port,
    close: () => {
      server.forceShutdown();
    },
  };
}

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

/** Returns the resource type that a URN names. */
export const typeOf = (urn: string): string => urn.split("::")[2]?.split("$").at(-1) ?? "";

/**
 * Returns the origin of the resource with this URN. The engine does not tell plugins the organization of a stack. The origin has the
 * type of the dynamic resource, so that the next run can resume an unfinished create with the other adapter.
 */
export const originOf = (urn: string): string =>
  `organization::${urn.replace(ownType, "pulumi-nodejs:dynamic/frontdoor:")}`;

const ownType = new RegExp(`\\bfrontdoor:index:(?=(${Object.keys(resources).join("|")})\\b)`, "g");

/** Returns what the stack's settings say about names, or undefined if they say nothing. */
export function autonamingOf(request: messages.CheckRequest): Declaration["autonaming"] {
  const autonaming = request.getAutonaming();
  if (!autonaming) return undefined;
  const { DISABLE } = messages.CheckRequest.AutonamingOptions.Mode;
  return autonaming.getMode() === DISABLE ? "disabled" : { proposedName: autonaming.getProposedName() };
}

/** Returns the timeout of a request, and how to report its progress. */
export function operationOf(
  request: messages.CreateRequest | messages.UpdateRequest | messages.DeleteRequest,
  showProgress: (urn: string, progress: string) => void,
): OperationOptions {
  const report = (progress: string) => {
    showProgress(request.getUrn(), progress);
  };
  return { timeoutSeconds: request.getTimeout(), report };
}

/** The error by which the engine keeps a resource that exists but is not ready. */
export class PartlyCreated extends Error {
  constructor(readonly detail: messages.ErrorResourceInitFailed) {
    super(detail.getReasonsList().join("; "));
  }
}

export const checkResponse = (inputs: object, secrets: readonly string[], failures: readonly Failure[]) =>
  new messages.CheckResponse()
    .setInputs(encoded(inputs, secrets))
    .setFailuresList(
      failures.map(({ property, reason }) => new messages.CheckFailure().setProperty(property).setReason(reason)),
    );

/** Returns a diff with one entry for each changed property. */
export function diffResponse(
  diff: Omit<Diff, "isOfInputs"> & { properties: Record<string, Change> },
): messages.DiffResponse {
  const { DIFF_NONE, DIFF_SOME } = messages.DiffResponse.DiffChanges;
  const response = new messages.DiffResponse()
    .setChanges(diff.changes ? DIFF_SOME : DIFF_NONE)
    .setReplacesList(diff.replaces)
    .setDeletebeforereplace(diff.deleteBeforeReplace)
    .setDiffsList([...new Set(Object.keys(diff.properties).map(propertyOf))])
    .setHasdetaileddiff(true);
  for (const [property, change] of Object.entries(diff.properties))
    response.getDetaileddiffMap().set(property, new messages.PropertyDiff().setKind(kinds[change]).setInputdiff(true));
  return response;
}

const kinds: Record<Change, messages.PropertyDiff.Kind> = {
  add: messages.PropertyDiff.Kind.ADD,
  "add-replace": messages.PropertyDiff.Kind.ADD_REPLACE,
  delete: messages.PropertyDiff.Kind.DELETE,
  "delete-replace": messages.PropertyDiff.Kind.DELETE_REPLACE,
  update: messages.PropertyDiff.Kind.UPDATE,
  "update-replace": messages.PropertyDiff.Kind.UPDATE_REPLACE,
};

/** Returns the outputs for the state. Marks the outputs of the secret names, and those made from secret inputs. */
export const outputsStruct = (outputs: object, secrets: readonly string[]): Struct =>
  encoded(outputs, [...secrets, ...secretOutputsWith(secrets)]);

/** True if the state notes what was sent, of a resource or of a share in a set (`value-differs`). */
const notesSent = (outputs: object): boolean => {
  const notes = valueOf(outputs, "__notes") as Record<string, object> | undefined;
  return [outputs, ...Object.values(notes ?? {})].some((each) => has(each, "__sent"));
};

/**
 * Returns the outputs for the state. @throws PartlyCreated if the resource is not ready: then the next run reads it before it compares,
 * unless the state notes what was sent. After a read, the next run would write that again.
 */
export function outputsOrError({ id, outputs, unfinished }: Outcome<object>, secrets: readonly string[]): Struct {
  const properties = outputsStruct(outputs, secrets);
  if (!unfinished) return properties;
  const detail = new messages.ErrorResourceInitFailed().setId(id).setProperties(properties);
  throw new PartlyCreated(detail.setReasonsList([unfinished.message]).setRefreshBeforeUpdate(!notesSent(outputs)));
}

/** Returns the result of a read. @throws PartlyCreated if a refresh finds a resource that is not deployed. */
export function readResponse(
  { id, outputs, inputs }: Seen<object>,
  request: messages.ReadRequest,
  secrets: string[],
  isRefresh: boolean,
) {
  const properties = outputsStruct(outputs, secrets);
  const struct = inputs && encoded(inputs, secrets);
  // A tunnel connection has no status.
  const { status = "DEPLOYED" } = outputs as { status?: string };
  if (!isRefresh || status === "DEPLOYED")
    return new messages.ReadResponse().setId(id).setProperties(properties).setInputs(struct);
  const reason = `the service shows it as ${status}: the next "pulumi up" continues the wait or fixes it`;
  const detail = new messages.ErrorResourceInitFailed().setId(id).setProperties(properties);
  throw new PartlyCreated(detail.setInputs(struct ?? request.getInputs()).setReasonsList([reason]));
}

/** Properties as plain values, unknown ones as UNKNOWN, and the names of those that are or contain a secret. */
export interface Properties {
  values: Record<string, unknown>;
  secrets: string[];
}

/** Returns the properties that the engine sends. */
export function decoded(struct: Struct | undefined): Properties {
  const secrets: string[] = [];
  const values = Object.entries(struct?.toJavaScript() ?? {})
    .filter(([name]) => !isHiddenInput(name))
    .map(([name, value]) => [name, decodedValue(value, () => secrets.push(name))] as const);
  return { values: Object.fromEntries(values), secrets };
}

/** Returns properties as the engine reads them: none is undefined, and those of these names have the engine's mark of a secret. */
export function encoded(values: object, secrets: readonly string[] = []): Struct {
  const struct = new Struct();
  for (const [name, value] of Object.entries(values) as [string, unknown][])
    if (value !== undefined)
      struct.getFieldsMap().set(name, encodedValue(secrets.includes(name) ? { ...secretMark, value } : value));
  return struct;
}

/** Builds the message from the value itself: a copy would be as large as the properties of thousands of shares. */
function encodedValue(value: unknown): Value {
  if (Array.isArray(value)) return new Value().setListValue(new ListValue().setValuesList(value.map(encodedValue)));
  if (typeof value === "object" && value !== null) return new Value().setStructValue(encoded(value));
  return Value.fromJavaScript((value === UNKNOWN ? unknownText : value) as JavaScriptValue);
}
