import { z } from "zod";
import { networkOf } from "../addresses";
import type { WireTunnel } from "../api/tunnels";
import * as fields from "./fields";
import { type Planned, UNKNOWN } from "./lifecycle";
import type { TunnelConfig } from "./tunnel-config";

/** The inputs of a tunnel (spec: Tunnels, POST). The comment of each is its hover text and its entry in the reference. */
export const tunnelShape = {
  /** Public IPv4 address of the remote site's IPsec device. A change replaces the tunnel. */
  peerPublicIp: fields.publicIpv4,
  /** CIDR block behind the peer, host bits clear, such as `10.20.0.0/16`. A change replaces the tunnel. */
  peerCidr: fields.network,
  /** Name of the tunnel. Default: derived from project, stack and the resource's name. A change replaces the tunnel. */
  name: fields.tunnelName.optional(),
  /** Location of the tunnel; one tunnel is allowed per front door and location. Left out, the service decides. A change replaces the tunnel, the new one first. */
  locationId: fields.id("a location id").optional(),
  /** Private IPv4 address of the load balancer. Left out, the service picks a free one. A change replaces the tunnel. */
  nlbPrivateIp: fields.privateIpv4.optional(),
  /** Front door that owns the tunnel. Default: `frontdoor:frontdoorId`. A change replaces the tunnel, the new one first. */
  frontdoorId: fields.id("a front door id").optional(),
  /** Whether the sample configuration, which holds the pre-shared key, is kept (encrypted) in the state as `sampleConfig`. Default: true. */
  storeSampleConfig: z.boolean("must be true or false").optional(),
  /** Id of an existing tunnel to take over instead of creating one: nothing is created, and nothing may differ. Only looked at on create. */
  adopt: fields.id("the id of an existing tunnel").optional(),
};

/** What a program gives. */
export type TunnelArgs = z.input<z.ZodObject<typeof tunnelShape>>;

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

/** What the state keeps of what the service shows; the details of a deployed tunnel come with other reads. */
export function outputsOf({ id: _id, ...fields }: WireTunnel, frontdoorId: string): TunnelOutputs {
  return { frontdoorId, ...fields };
}
