import type { WireShare, WireTunnel } from "../api/types";
import type { TunnelConfigEntry } from "../fields/types";

export type { FrontdoorError, Trouble } from "../errors";
export type { TunnelConfigEntry } from "../fields/types";

/** An IPsec tunnel as it is now; entries of `getTunnels` can lack the load balancer's fields and the connection's id. */
export interface TunnelResult extends WireTunnel {
  /** Front door that owns the tunnel. */
  readonly frontdoorId: string;
}

/** An IPsec share as it is now. */
export interface ShareResult extends WireShare {
  /** Front door that owns the share. */
  readonly frontdoorId: string;
}

/** The VPN connection as it is now. */
export interface TunnelConfigResult {
  /** State of the whole VPN connection, such as `available`. */
  readonly state?: string;
  /** Its connections. The service shows one. */
  readonly tunnels: TunnelConfigEntry[];
}
