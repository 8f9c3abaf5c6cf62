import type { ShareFilters, TunnelConfigEntry, TunnelFilters, WireShare, WireTunnel } from "../fields/types";

// These types do not use zod: users' compilers read them with settings of their own.

interface InFrontDoor {
  /** Front door to read from. Default: `frontdoor:frontdoorId`. */
  readonly frontdoorId?: string | undefined;
}

/** One resource, by its id or by its name. */
export type OneArgs = InFrontDoor &
  ({ readonly id: string; readonly name?: undefined } | { readonly name: string; readonly id?: undefined });

/** One resource, by its id. */
export interface IdArgs extends InFrontDoor {
  /** Assigned by Frontdoor. */
  readonly id: string;
}

type Sort<Wire> = `${keyof Wire & string},${"asc" | "desc"}`;

/** Filters and order of a list of tunnels. */
export interface TunnelsArgs extends InFrontDoor, TunnelFilters {
  /** Order of the list, such as `name,asc`. */
  readonly sort?: Sort<WireTunnel> | undefined;
}

/** Filters and order of a list of shares. */
export interface SharesArgs extends InFrontDoor, ShareFilters {
  /** Order of the list, such as `name,asc`. */
  readonly sort?: Sort<WireShare> | undefined;
}

/** A tunnel, and the span of its metrics. */
export interface TunnelMetricsArgs extends IdArgs {
  /** Time span of the metrics. Default of the service: `1h`. */
  readonly window?: "30m" | "1h" | "1d" | "7d" | undefined;
}

/** A share, and the span of its metrics. */
export interface ShareMetricsArgs extends IdArgs {
  /** Time span such as `15m` or `1h`; the service's specification does not show the full set. */
  readonly duration?: string | undefined;
}

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
