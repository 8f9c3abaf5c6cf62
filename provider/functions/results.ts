import type { WireShare, WireTunnel } from "../api/types";
import type { TunnelConfigEntry } from "../fields/tunnel-config";

export type { TunnelConfigEntry } from "../fields/tunnel-config";

/** An IPsec tunnel as it is now (spec: IPsec tunnel); entries of `getTunnels` can lack the load balancer's fields and the connection's id. */
export type TunnelResult = { frontdoorId: string } & WireTunnel;

/** An IPsec share as it is now (spec: IPsec share). */
export type ShareResult = { frontdoorId: string } & WireShare;

/** The VPN connection as it is now (spec: Tunnel configuration). */
export interface TunnelConfigResult {
  state?: string;
  tunnels: TunnelConfigEntry[];
}
