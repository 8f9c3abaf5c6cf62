import { z } from "zod";
import { hostPortOf } from "../addresses";
import type { NewShare, WireShare } from "../api/shares";
import * as fields from "./fields";
import type { Failure, Planned } from "./lifecycle";

/** The inputs of a share (spec: Shares, POST). The comment of each is its hover text and its entry in the reference. */
export const shareShape = {
  /** Id of the tunnel the share is published on. A change moves the share over; it replaces the share only when its tunnel is replaced first. */
  ipsecTunnelId: fields.id("the id of an IPsec tunnel"),
  /** Private `host:port` the hosting agent connects to, such as `db.internal:5432`. */
  target: fields.hostPort,
  /** Listener port on the tunnel's load balancer, 1 to 65535. */
  ingressPort: fields.portNumber,
  /** Environment of the hosting agent. Required, here or as `envId`. */
  envZId: fields.id("the id of the hosting agent's environment").optional(),
  /** Another spelling of `envZId`; give one of the two. */
  envId: fields.id("the id of the hosting agent's environment").optional(),
  /** Name of the share: 1 to 63 letters, digits and hyphens. Default: derived from project, stack and the resource's name. */
  name: fields.shareName.optional(),
  /** Location of the share. Left out, the service decides; removed later, it is cleared. */
  locationId: fields.id("a location id").optional(),
  /** Front door that owns the share. Default: `frontdoor:frontdoorId`. A change replaces the share. */
  frontdoorId: fields.id("a front door id").optional(),
  /** Id of an existing share to take over instead of creating one: nothing is created, what differs is PATCHed. Only looked at on create. */
  adopt: fields.id("the id of an existing share").optional(),
};

/** What a program gives. */
export type ShareArgs = z.input<z.ZodObject<typeof shareShape>>;

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
  /** Optional inputs that the user has set: only those are cleared when they are removed. */
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

/** True when the user had set an optional field and has removed it. */
export const isCleared = (olds: ShareOutputs, news: Planned<ShareInputs>): boolean =>
  news.locationId === undefined && olds.locationId !== undefined && (olds.__set?.includes("locationId") ?? false);

/** What the state notes of optional inputs. */
export const setBy = (inputs: ShareInputs): ShareOutputs["__set"] =>
  inputs.locationId === undefined ? undefined : ["locationId"];

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
