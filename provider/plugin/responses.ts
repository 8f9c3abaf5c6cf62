import * as messages from "@pulumi/pulumi/proto/provider_pb";
import type { Struct } from "google-protobuf/google/protobuf/struct_pb";
import { propertyOf } from "../resources/changes";
import type { Change, Diff, Failure, Outcome } from "../resources/lifecycle";
import { type Seen, secretOutputsWith } from "../resources/resource";
import { encoded } from "./values";

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

/** Returns the outputs for the state. @throws PartlyCreated if the resource is not ready: then the next run reads it before it compares. */
export function outputsOrError({ id, outputs, unfinished }: Outcome<object>, secrets: readonly string[]): Struct {
  const properties = outputsStruct(outputs, secrets);
  if (!unfinished) return properties;
  const detail = new messages.ErrorResourceInitFailed().setId(id).setProperties(properties);
  throw new PartlyCreated(detail.setReasonsList([unfinished.message]).setRefreshBeforeUpdate(true));
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
