import * as messages from "@pulumi/pulumi/proto/provider_pb";
import type { Declaration } from "../resources/lifecycle";
import type { OperationOptions } from "../resources/resource";

/** Returns the resource type that a URN names. */
export const typeOf = (urn: string): string => urn.split("::")[2]?.split("$").at(-1) ?? "";

/**
 * Returns the origin of the resource with this URN. The engine does not tell plugins the organization of a stack. The origin has the
 * type of the dynamic resource, so that the next run can resume an unfinished create with the other adapter.
 */
export const originOf = (urn: string): string =>
  `organization::${urn.replace(/\bfrontdoor:index:(?=Ipsec(Tunnel|Share|ShareSet|TunnelConnection)\b)/g, "pulumi-nodejs:dynamic/frontdoor:")}`;

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
  const seconds = request.getTimeout();
  const report = (progress: string) => {
    showProgress(request.getUrn(), progress);
  };
  return { timeoutSeconds: seconds > 0 ? seconds : undefined, report };
}
