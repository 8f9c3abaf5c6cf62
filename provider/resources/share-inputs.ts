import { hostPortOf } from "../addresses";
import type { NewShare } from "../api/shares";
import type { WireShare } from "../api/types";
import type { ShareArgs } from "./args";
import type { Shape } from "./check";
import * as fields from "./fields";
import type { Failure, Planned } from "./lifecycle";

/** What each input has to be; a new one does not compile without. */
export const shareShape = {
  ipsecTunnelId: fields.id("the id of an IPsec tunnel"),
  target: fields.hostPort,
  ingressPort: fields.portNumber,
  envZId: fields.label("the id of the hosting agent's environment").optional(),
  envId: fields.label("the id of the hosting agent's environment").optional(),
  name: fields.shareName.optional(),
  locationId: fields.label("a location id").optional(),
  frontdoorId: fields.id("a front door id").optional(),
  adopt: fields.id("the id of an existing share").optional(),
} satisfies Shape<ShareArgs>;

/** What check has made of it: one environment, name and front door are there. */
export type ShareInputs = Omit<ShareArgs, "envId"> & { name: string; envZId: string; frontdoorId: string };

/** What the state keeps (contract: Resources). */
export interface ShareOutputs {
  name: string;
  frontdoorId: string;
  ipsecTunnelId: string;
  envZId: string;
  target: string;
  ingressPort: number;
  locationId?: string;
  status: string;
  /**
   * Optional inputs that the user has set: only those are cleared when they are removed, and are inputs after a refresh. Undefined
   * in states of versions that did not note it.
   */
  __set?: "locationId"[];
}

const onChange = {
  ipsecTunnelId: "update",
  target: "update",
  ingressPort: "update",
  envZId: "update",
  name: "update",
  locationId: "update",
  frontdoorId: "replace",
  adopt: "ignore",
} as const satisfies Record<keyof ShareInputs, "replace" | "update" | "ignore">;

type Field = Exclude<keyof typeof onChange, "frontdoorId" | "adopt">;
const fieldNames = (Object.keys(onChange) as (keyof typeof onChange)[]).filter(
  (key) => onChange[key] === "update",
) as Field[];

/** Wants the environment exactly once, under either spelling. */
export function environmentFailures({ envId, envZId }: Record<string, unknown>): Failure[] {
  if (envId == null && envZId == null)
    return [{ property: "envZId", reason: "is required: the id of the hosting agent's environment, here or as envId" }];
  if (envId != null && envZId != null)
    return [{ property: "envId", reason: "is another spelling of envZId: give one of the two, not both" }];
  return [];
}

/** The fields in which two differ in meaning; what is not given is not managed. */
export function changedFields(olds: Pick<ShareOutputs, Field>, news: Planned<ShareInputs>): Field[] {
  return fieldNames.filter((key) => news[key] !== undefined && meaning(key, news[key]) !== meaning(key, olds[key]));
}

function meaning(key: Field, value: unknown): unknown {
  const target = key === "target" && typeof value === "string" ? hostPortOf(value) : undefined;
  return target ? JSON.stringify(target) : value;
}

/** What every share is asked for with, in canonical form. */
export const required = (from: object): unknown[] =>
  (["name", "ipsecTunnelId", "envZId", "target", "ingressPort"] as const).map((key) =>
    meaning(key, (from as Record<string, unknown>)[key]),
  );

/** The inputs that the state's outputs stand for. */
export function inputsOf({ status: _status, __set: set, locationId, ...others }: ShareOutputs): Partial<ShareInputs> {
  return { ...others, ...(set?.includes("locationId") && { locationId }) };
}

/** True when the user sets an optional field that the state does not note as set. */
export const isNewlySet = (olds: ShareOutputs, news: Planned<ShareInputs>): boolean =>
  news.locationId !== undefined && !olds.__set?.includes("locationId");

/** True when the user had set an optional field and has removed it. */
export const isCleared = (olds: ShareOutputs, news: Planned<ShareInputs>): boolean =>
  news.locationId === undefined && olds.locationId !== undefined && (olds.__set?.includes("locationId") ?? false);

/** What the state notes of optional inputs. */
export const setBy = (inputs: ShareInputs): ShareOutputs["__set"] =>
  inputs.locationId === undefined ? [] : ["locationId"];

/** The body of a create or full update. */
export function fullBody({ name, ipsecTunnelId, envZId, target, ingressPort, locationId }: ShareInputs): NewShare {
  return { name, ipsecTunnelId, envZId, target, ingressPort, locationId };
}

/** What the state keeps of what the service shows. */
export function outputsOf(
  { id: _id, ...fields }: WireShare,
  frontdoorId: string,
  set: ShareOutputs["__set"],
): ShareOutputs {
  return { frontdoorId, ...fields, __set: set };
}
