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
  /** Location of the tunnel; one tunnel is allowed per front door and location. */
  readonly locationId: pulumi.Output<string | undefined>;
  /** Private IPv4 address of the load balancer. */
  readonly nlbPrivateIp: pulumi.Output<string>;
  /** Front door that owns the tunnel. */
  readonly frontdoorId: pulumi.Output<string>;
  /** `DEPLOYED` once it is ready; else `NEW`, `ERROR`, `DELETING`, `DELETED` or one the specification does not show, as last seen. */
  readonly status: pulumi.Output<string>;
  /** DNS name of the load balancer, once DEPLOYED. */
  readonly nlbDnsName: pulumi.Output<string>;
  /** Identifier of the VPN connection, once DEPLOYED. */
  readonly vpnConnectionId: pulumi.Output<string>;
  /** The VPN connection's stable details: addresses, algorithms, lifetimes in seconds. */
  readonly tunnelConfig: pulumi.Output<TunnelConfig>;
  /** Generated configuration for the remote site, with the pre-shared key: always secret. Undefined with `storeSampleConfig: false`. */
  readonly sampleConfig: pulumi.Output<string | undefined>;
}

/** Their names. */
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
