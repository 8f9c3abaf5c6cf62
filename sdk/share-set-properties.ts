// Generated from provider/fields/share-set.ts by "npm run docs": change that, not this.
import type * as pulumi from "@pulumi/pulumi";
import type { SetShare } from "../provider/fields/types";

/** The outputs of an IPsec share set. */
export declare abstract class ShareSetProperties extends pulumi.CustomResource {
  /** Id of the tunnel on which the shares are published. */
  readonly ipsecTunnelId: pulumi.Output<string>;
  /** The shares, by key. */
  readonly shares: pulumi.Output<Record<string, SetShare>>;
  /** Default environment of the hosting agent, for shares without their own. */
  readonly envZId: pulumi.Output<string | undefined>;
  /** Default location, for shares without their own. */
  readonly locationId: pulumi.Output<string | undefined>;
  /** DNS name of the tunnel's load balancer. The set needs it for `endpoints`. */
  readonly nlbDnsName: pulumi.Output<string | undefined>;
  /** Front door that owns the shares. */
  readonly frontdoorId: pulumi.Output<string>;
  /** Ids of the shares, by key. */
  readonly ids: pulumi.Output<Record<string, string>>;
  /** `host:port` at which the remote site reaches each share, by key. Undefined without `nlbDnsName`. */
  readonly endpoints: pulumi.Output<Record<string, string> | undefined>;
  /** `DEPLOYED` if all shares are `DEPLOYED`. Otherwise the status of the first share that is not. */
  readonly status: pulumi.Output<string>;
}

/** The names of the outputs. */
export const shareSetOutputs = [
  "ipsecTunnelId",
  "shares",
  "envZId",
  "locationId",
  "nlbDnsName",
  "frontdoorId",
  "ids",
  "endpoints",
  "status",
];
