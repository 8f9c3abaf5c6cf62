// Generated from provider/fields/share-set.ts by "npm run docs": change that, not this.
import type * as pulumi from "@pulumi/pulumi";
import type { SetShare } from "../provider/fields/types";

/** The outputs of an IPsec share set. */
export declare abstract class ShareSetProperties extends pulumi.CustomResource {
  /** Id of the tunnel the shares are published on. */
  readonly ipsecTunnelId: pulumi.Output<string>;
  /** The shares by key. */
  readonly shares: pulumi.Output<Record<string, SetShare>>;
  /** Environment of the hosting agent for shares that name none. */
  readonly envZId: pulumi.Output<string | undefined>;
  /** Location for shares that name none. */
  readonly locationId: pulumi.Output<string | undefined>;
  /** DNS name of the tunnel's load balancer: with it the set has `endpoints`. */
  readonly nlbDnsName: pulumi.Output<string | undefined>;
  /** Front door that owns the shares. */
  readonly frontdoorId: pulumi.Output<string>;
  /** Ids of the shares by key. */
  readonly ids: pulumi.Output<Record<string, string>>;
  /** `host:port` by key, as the remote site reaches the shares; where `nlbDnsName` is given. */
  readonly endpoints: pulumi.Output<Record<string, string> | undefined>;
  /** `DEPLOYED` once all shares are; else the status of the first one that is not. */
  readonly status: pulumi.Output<string>;
}

/** Their names. */
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
