// Generated from provider/fields/share.ts by "npm run docs": change that, not this.
import type * as pulumi from "@pulumi/pulumi";
import { FrontdoorResource } from "./resource";

/** The outputs of an IPsec share. */
export abstract class ShareProperties extends FrontdoorResource {
  /** Id of the tunnel the share is published on. */
  declare readonly ipsecTunnelId: pulumi.Output<string>;
  /** Environment of the hosting agent. */
  declare readonly envZId: pulumi.Output<string>;
  /** Private `host:port` the hosting agent connects to, such as `db.internal:5432`. */
  declare readonly target: pulumi.Output<string>;
  /** Listener port on the tunnel's load balancer, 1 to 65535. */
  declare readonly ingressPort: pulumi.Output<number>;
  /** Name of the share. */
  declare readonly name: pulumi.Output<string>;
  /** Location of the share. */
  declare readonly locationId: pulumi.Output<string | undefined>;
  /** Front door that owns the share. */
  declare readonly frontdoorId: pulumi.Output<string>;
  /** `DEPLOYED` once it is ready; else `NEW`, `ERROR`, `DELETING`, `DELETED` or one the specification does not show, as last seen. */
  declare readonly status: pulumi.Output<string>;
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
