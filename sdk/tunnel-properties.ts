// Generated from provider/fields/tunnel.ts by "npm run docs": change that, not this.
import type * as pulumi from "@pulumi/pulumi";
import type { TunnelConfig } from "../provider/fields/types";
import { resourceWith } from "./resource";

/** The arguments of an IpsecTunnel. */
export interface IpsecTunnelArgs {
  /** Public IPv4 address of the remote site's IPsec device. A change replaces the tunnel. */
  readonly peerPublicIp: pulumi.Input<string>;
  /** CIDR block behind the peer, host bits clear, such as `10.20.0.0/16`. A change replaces the tunnel. */
  readonly peerCidr: pulumi.Input<string>;
  /** Name of the tunnel. Default: derived from project, stack and the resource's name. A change replaces the tunnel. */
  readonly name?: pulumi.Input<string | undefined> | undefined;
  /** Location of the tunnel. A front door has at most one tunnel per location. Default: the service chooses. If you remove it later, the tunnel keeps its location. A change replaces the tunnel (create first). */
  readonly locationId?: pulumi.Input<string | undefined> | undefined;
  /** Private IPv4 address of the load balancer. Default: the service chooses a free one. A change replaces the tunnel. */
  readonly nlbPrivateIp?: pulumi.Input<string | undefined> | undefined;
  /** Front door that owns the tunnel. Default: `frontdoor:frontdoorId`. A change replaces the tunnel (create first). */
  readonly frontdoorId?: pulumi.Input<string | undefined> | undefined;
  /** If true, the state keeps the sample configuration, encrypted, as `sampleConfig`. It holds the pre-shared key. Default: true. */
  readonly storeSampleConfig?: pulumi.Input<boolean | undefined> | undefined;
  /** Id of an existing tunnel that this resource adopts instead of creating a tunnel. The arguments must equal those of the existing tunnel. It is used only when the resource is created. */
  readonly adopt?: pulumi.Input<string | undefined> | undefined;
}

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
  /** Addresses, algorithms and lifetimes of the VPN connection. Its status is not among them, because it changes by itself. */
  readonly tunnelConfig: pulumi.Output<TunnelConfig>;
  /** Generated configuration for the remote site. It holds the pre-shared key and is always secret. Undefined with `storeSampleConfig: false`. */
  readonly sampleConfig: pulumi.Output<string | undefined>;
}

/** An IPsec tunnel of the dynamic provider or the plugin. */
export const AnyTunnel = resourceWith<TunnelProperties>();
export type AnyTunnel = InstanceType<typeof AnyTunnel>;

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

/** The names of the arguments. */
export const tunnelArguments = [
  "peerPublicIp",
  "peerCidr",
  "name",
  "locationId",
  "nlbPrivateIp",
  "frontdoorId",
  "storeSampleConfig",
  "adopt",
];
