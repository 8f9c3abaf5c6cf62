// Generated from provider/fields/share.ts by "npm run docs": change that, not this.
import type * as pulumi from "@pulumi/pulumi";

/** The outputs of an IPsec share. */
export declare abstract class ShareProperties extends pulumi.CustomResource {
  /** Id of the tunnel on which the share is published. */
  readonly ipsecTunnelId: pulumi.Output<string>;
  /** Id of the hosting agent's environment. */
  readonly envZId: pulumi.Output<string>;
  /** Private `host:port` to which the hosting agent connects, such as `db.internal:5432`. */
  readonly target: pulumi.Output<string>;
  /** Listener port on the tunnel's load balancer, 1 to 65535. */
  readonly ingressPort: pulumi.Output<number>;
  /** Name of the share. */
  readonly name: pulumi.Output<string>;
  /** Location of the share. */
  readonly locationId: pulumi.Output<string | undefined>;
  /** Front door that owns the share. */
  readonly frontdoorId: pulumi.Output<string>;
  /** The last status that the service reported: `NEW`, `DEPLOYED` (ready), `ERROR`, `DELETING`, `DELETED`, or another one. */
  readonly status: pulumi.Output<string>;
}

/** The names of the outputs. */
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
