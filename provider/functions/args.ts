// These types do not use zod: users' compilers read them with settings of their own.

import type { WireShare, WireTunnel } from "../api/types";

interface InFrontDoor {
  /** Front door to read from. Default: `frontdoor:frontdoorId`. */
  frontdoorId?: string | undefined;
}

/** One resource, by its id or by its name. */
export type OneArgs = InFrontDoor & ({ id: string; name?: undefined } | { name: string; id?: undefined });

/** One resource, by its id. */
export interface IdArgs extends InFrontDoor {
  /** Assigned by the service. */
  id: string;
}

/** Filters and order of a list. An entry matches if every property given here has the value, or one of the values. */
type ListArgs<Wire> = InFrontDoor & { [Key in keyof Wire]?: NonNullable<Wire[Key]> | NonNullable<Wire[Key]>[] } & {
  sort?: `${keyof Wire & string},${"asc" | "desc"}` | undefined;
};

/** Filters and order of a list of tunnels. */
export type TunnelsArgs = ListArgs<WireTunnel>;

/** Filters and order of a list of shares. */
export type SharesArgs = ListArgs<WireShare>;

/** A tunnel, and the span of its metrics. */
export interface TunnelMetricsArgs extends IdArgs {
  /** Time span of the metrics. Default of the service: `1h`. */
  window?: "30m" | "1h" | "1d" | "7d" | undefined;
}

/** A share, and the span of its metrics. */
export interface ShareMetricsArgs extends IdArgs {
  /** Time span such as `15m` or `1h`; the service's specification does not show the full set. */
  duration?: string | undefined;
}
