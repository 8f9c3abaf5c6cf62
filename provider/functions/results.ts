import type { WireShare, WireTunnel } from "../api/types";
import type { TunnelConfigEntry } from "../fields/types";

export type { FrontdoorError, Trouble } from "../errors";
export type { TunnelConfigEntry } from "../fields/types";

/** An IPsec tunnel as it is now; entries of `getTunnels` can lack the load balancer's fields and the connection's id. */
export type TunnelResult = { frontdoorId: string } & WireTunnel;

/** An IPsec share as it is now. */
export type ShareResult = { frontdoorId: string } & WireShare;

/** The VPN connection as it is now. */
export interface TunnelConfigResult {
  /** State of the whole VPN connection, such as `available`. */
  state?: string;
  /** Its connections. The service shows one. */
  tunnels: TunnelConfigEntry[];
}
