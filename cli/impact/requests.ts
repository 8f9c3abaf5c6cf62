import { has, type Planned, UNKNOWN, valueOf } from "../../provider/fields/field";
import { type Notes, withServiceName } from "../../provider/resources/notes";
import type { ShareInputs, ShareOutputs } from "../../provider/resources/share/inputs";
import { plannedWrite } from "../../provider/resources/share/preview";
import type { Step } from "./preview";

/** The request of a change, or both in their order. */
export type Request = "POST" | "PATCH" | "PUT" | "DELETE" | "DELETE+POST" | "POST+DELETE" | "none";

export interface Asked {
  request: Request;
  /** False if the preview does not show whether the request is sent. */
  isCertain: boolean;
}

export const certain = (request: Request): Asked => ({ request, isCertain: true });
export const possible = (request: Request): Asked => ({ request, isCertain: false });

/** Pulumi's text for a value that is not known before the run. */
const unknownText = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
/** Pulumi's text for a secret value, in a preview. */
const secretText = "[secret]";

/** Returns the value with UNKNOWN in the place of Pulumi's text for it. */
function planned(value: unknown): unknown {
  if (value === unknownText) return UNKNOWN;
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(planned);
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, planned(each)]));
}

export const inputsOf = ({ newState }: Step): object => planned(newState?.inputs ?? {}) as object;

/** An adopted share is updated if it differs from the program. */
export const creation = (inputs: object): Asked => (has(inputs, "adopt") ? possible("PATCH") : certain("POST"));

export const deletion = ({ oldState }: Step): Asked => certain(oldState?.retainOnDelete ? "none" : "DELETE");

/** In Pulumi's preview of a delete-first replacement, the old state is pending. A change of one of `moves` creates first. */
export function replacement({ oldState, replaceReasons: reasons }: Step, moves = ["frontdoorId"]): Asked {
  if (oldState?.retainOnDelete) return certain("POST");
  const isCreateFirst = !oldState?.pendingReplacement && moves.some((name) => reasons?.includes(name));
  const request = isCreateFirst ? "POST+DELETE" : "DELETE+POST";
  // With the reason `status`, the resource had failed or was gone before the preview.
  return reasons?.includes("status") ? possible(request) : certain(request);
}

/** The write of an update. It is certain if one of its fields has a known value. */
export function update(olds: ShareOutputs, inputs: Planned<ShareInputs>): Asked {
  const news = withServiceName(olds, inputs as Planned<ShareInputs> & Notes);
  const write = plannedWrite(olds, news);
  const isKnown = (name: string) => name === "ipsecTunnelId" || valueOf(news, name) !== UNKNOWN;
  if (write) return write.fields.some(isKnown) ? certain(write.method) : possible(write.method);
  const isHidden = Object.values(inputs).includes(secretText);
  return olds.status !== "DEPLOYED" || isHidden ? possible("PATCH") : certain("none");
}
