import type { WireShare } from "../api/types";
import type { WireTunnel, WireTunnelEntry } from "../api/types";

type WithoutMissing<Wire> = { [Key in keyof Wire]: Wire[Key] };

/** An IPsec tunnel as it is now (spec: IPsec tunnel); entries of `getTunnels` can lack the load balancer's fields and the connection's id. */
export type TunnelResult = { frontdoorId: string } & WithoutMissing<WireTunnel>;

/** An IPsec share as it is now (spec: IPsec share). */
export type ShareResult = { frontdoorId: string } & WithoutMissing<WireShare>;

/** One connection of a tunnel, `status` and `statusMessage` included (spec: Tunnel configuration). */
export type TunnelConfigEntry = { [Key in keyof WireTunnelEntry]?: NonNullable<WireTunnelEntry[Key]> };

/** The VPN connection as it is now (spec: Tunnel configuration). */
export interface TunnelConfigResult {
  state?: string;
  tunnels: TunnelConfigEntry[];
}
