import * as z from "zod";
import { networkOf } from "../addresses";
import type { WireTunnel } from "../api/types";
import type { TunnelArgs } from "./args";
import type { Shape } from "./check";
import * as fields from "./fields";
import { type Planned, UNKNOWN } from "./lifecycle";
import type { TunnelConfig } from "./tunnel-details";

/** What each input has to be; a new one does not compile without. */
export const tunnelShape = {
  peerPublicIp: fields.publicIpv4,
  peerCidr: fields.network,
  name: fields.tunnelName.optional(),
  locationId: fields.label("a location id").optional(),
  nlbPrivateIp: fields.privateIpv4.optional(),
  frontdoorId: fields.id("a front door id").optional(),
  storeSampleConfig: z.boolean("must be true or false").optional(),
  adopt: fields.id("the id of an existing tunnel").optional(),
} satisfies Shape<TunnelArgs>;

/** What check has made of it: name and front door are there. */
export type TunnelInputs = TunnelArgs & { name: string; frontdoorId: string };

/** What the state keeps (contract: Resources). */
export interface TunnelOutputs {
  name: string;
  frontdoorId: string;
  locationId?: string;
  status: string;
  peerPublicIp: string;
  peerCidr: string;
  nlbPrivateIp?: string;
  nlbDnsName?: string;
  vpnConnectionId?: string;
  tunnelConfig?: TunnelConfig;
  sampleConfig?: string;
}

const onChange = {
  peerPublicIp: "replace",
  peerCidr: "replace",
  name: "replace",
  locationId: "replace",
  nlbPrivateIp: "replace",
  frontdoorId: "replace",
  storeSampleConfig: "update",
  adopt: "ignore",
} as const satisfies Record<keyof TunnelArgs, "replace" | "update" | "ignore">;

const isReplacing = (key: keyof typeof onChange): key is Exclude<typeof key, "storeSampleConfig" | "adopt"> =>
  onChange[key] === "replace";

/** The inputs in which a tunnel and a program differ, by what a change of each does. */
export function changedInputs(olds: TunnelOutputs, news: Planned<TunnelInputs>) {
  const changed = (Object.keys(onChange) as (keyof typeof onChange)[]).filter((key) => differs(key, olds, news));
  return { changed, replaces: changed.filter(isReplacing) };
}

function differs(key: keyof typeof onChange, olds: TunnelOutputs, news: Planned<TunnelInputs>): boolean {
  const value = news[key];
  if (key === "adopt") return false;
  if (key === "storeSampleConfig") return (value !== false) !== (olds.sampleConfig !== undefined);
  // An input that is left out is not managed: what the tunnel has stays.
  if (value === undefined) return false;
  return key === "peerCidr" && value !== UNKNOWN
    ? networkOf(String(value)) !== networkOf(olds.peerCidr)
    : value !== olds[key];
}

/**
 * What the state keeps of what the service shows; the details of a deployed tunnel come with other reads. Not every answer tells
 * the two fields that can't change while the tunnel stands: then what was known of them holds.
 */
export function outputsOf(
  { id: _id, ...fields }: WireTunnel,
  { frontdoorId, locationId, nlbPrivateIp }: Pick<TunnelOutputs, "frontdoorId" | "locationId" | "nlbPrivateIp">,
): TunnelOutputs {
  return {
    frontdoorId,
    ...fields,
    locationId: fields.locationId ?? locationId,
    nlbPrivateIp: fields.nlbPrivateIp ?? nlbPrivateIp,
  };
}
