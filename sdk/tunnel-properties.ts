// Generated from provider/fields/tunnel.ts by "npm run docs": change that, not this.
import type * as pulumi from "@pulumi/pulumi";
import type { TunnelConfig } from "../provider/fields/types";

/** The outputs of an IPsec tunnel. */
export declare abstract class TunnelProperties extends pulumi.CustomResource {
  /** Public IPv4 address of the remote site's IPsec device. */
  readonly peerPublicIp: pulumi.Output<string>;
  /** CIDR block behind the peer, host bits clear, such as `10.20.0.0/16`. */
  readonly peerCidr: pulumi.Output<string>;
  /** Name of the tunnel. */
  readonly name: pulumi.Output<string>;
  /** Location of the tunnel. A front door has at most one tunnel per location. */
  readonly locationId: pulumi.Output<string | undefined>;
  /** Private IPv4 address of the load balancer. */
  readonly nlbPrivateIp: pulumi.Output<string>;
  /** Front door that owns the tunnel. */
  readonly frontdoorId: pulumi.Output<string>;
  /** The last status that the service reported: `NEW`, `DEPLOYED` (ready), `ERROR`, `DELETING`, `DELETED`, or another one. */
  readonly status: pulumi.Output<string>;
  /** DNS name of the load balancer, known once the tunnel is DEPLOYED. */
  readonly nlbDnsName: pulumi.Output<string>;
  /** Identifier of the VPN connection, known once the tunnel is DEPLOYED. */
  readonly vpnConnectionId: pulumi.Output<string>;
  /** Details of the VPN connection that do not change by themselves: addresses, algorithms, lifetimes in seconds. */
  readonly tunnelConfig: pulumi.Output<TunnelConfig>;
  /** Generated configuration for the remote site. It holds the pre-shared key and is always secret. Undefined with `storeSampleConfig: false`. */
  readonly sampleConfig: pulumi.Output<string | undefined>;
}

/** The names of the outputs. */
export const tunnelOutputs = [
  "peerPublicIp",
  "peerCidr",
  "name",
  "locationId",
  "nlbPrivateIp",
  "frontdoorId",
  "status",
  "nlbDnsName",
  "vpnConnectionId",
  "tunnelConfig",
  "sampleConfig",
];
