// Generated from provider/fields/share.ts by "npm run docs": change that, not this.
import type * as pulumi from "@pulumi/pulumi";

/** The outputs of an IPsec share. */
export declare abstract class ShareProperties extends pulumi.CustomResource {
  /** Id of the tunnel the share is published on. */
  readonly ipsecTunnelId: pulumi.Output<string>;
  /** Environment of the hosting agent. */
  readonly envZId: pulumi.Output<string>;
  /** Private `host:port` the hosting agent connects to, such as `db.internal:5432`. */
  readonly target: pulumi.Output<string>;
  /** Listener port on the tunnel's load balancer, 1 to 65535. */
  readonly ingressPort: pulumi.Output<number>;
  /** Name of the share. */
  readonly name: pulumi.Output<string>;
  /** Location of the share. */
  readonly locationId: pulumi.Output<string | undefined>;
  /** Front door that owns the share. */
  readonly frontdoorId: pulumi.Output<string>;
  /** `DEPLOYED` once it is ready; else `NEW`, `ERROR`, `DELETING`, `DELETED` or one the specification does not show, as last seen. */
  readonly status: pulumi.Output<string>;
}

/** Their names. */
export const shareOutputs = [
  "ipsecTunnelId",
  "envZId",
  "target",
  "ingressPort",
  "name",
  "locationId",
  "frontdoorId",
  "status",
];
