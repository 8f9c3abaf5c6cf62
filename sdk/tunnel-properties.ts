// Generated from provider/fields/tunnel.ts by "npm run docs": change that, not this.
import type * as pulumi from "@pulumi/pulumi";
import type { TunnelConfig } from "../provider/fields/types";
import { resourceWith } from "./resource";

/** The arguments of an IpsecTunnel. */
export interface IpsecTunnelArgs {
  /** Public IPv4 address of the remote site's IPsec device. Another address is sent with a warning, and Frontdoor decides. A change replaces the tunnel. */
  readonly peerPublicIp: pulumi.Input<string>;
  /** The remote site's network, as a network address without host bits, such as `10.20.0.0/16`. A change replaces the tunnel. */
  readonly peerCidr: pulumi.Input<string>;
  /** Name of the tunnel. Default: derived from project, stack and the resource's name. A change replaces the tunnel. */
  readonly name?: pulumi.Input<string | undefined> | undefined;
  /** Location of the tunnel. The specification allows one tunnel for a front door and location. Default: Frontdoor chooses. If you remove it later, the tunnel keeps its location. A change replaces the tunnel (create first). */
  readonly locationId?: pulumi.Input<string | undefined> | undefined;
  /** Private IPv4 address of the load balancer. Default: Frontdoor chooses a free one. A change replaces the tunnel. */
  readonly nlbPrivateIp?: pulumi.Input<string | undefined> | undefined;
  /** Front door that owns the tunnel. Default: `frontdoor:frontdoorId`. A change replaces the tunnel (create first). */
  readonly frontdoorId?: pulumi.Input<string | undefined> | undefined;
  /** If true, the sample configuration is in the state, encrypted, as `sampleConfig`. It contains the pre-shared key. Default: true. */
  readonly storeSampleConfig?: pulumi.Input<boolean | undefined> | undefined;
  /** Id of an existing tunnel that this resource adopts instead of creating a tunnel. Your arguments must match the existing tunnel. Used only when the resource is created. Later, another id than that in the state is refused. */
  readonly adopt?: pulumi.Input<string | undefined> | undefined;
  /** Text or number that you choose, never sent. Another value than before replaces the tunnel: it gets a new key and a new address. If you remove it later, the tunnel stays. A change replaces the tunnel. */
  readonly rotation?: pulumi.Input<string | number | undefined> | undefined;
}

/** The outputs of an IPsec tunnel. */
export declare abstract class TunnelProperties extends pulumi.CustomResource {
  /** Public IPv4 address of the remote site's IPsec device. */
  readonly peerPublicIp: pulumi.Output<string>;
  /** The remote site's network, as a network address without host bits, such as `10.20.0.0/16`. */
  readonly peerCidr: pulumi.Output<string>;
  /** Name of the tunnel. */
  readonly name: pulumi.Output<string>;
  /** Location of the tunnel. The specification allows one tunnel for a front door and location. */
  readonly locationId: pulumi.Output<string | undefined>;
  /** Private IPv4 address of the load balancer. */
  readonly nlbPrivateIp: pulumi.Output<string>;
  /** Front door that owns the tunnel. */
  readonly frontdoorId: pulumi.Output<string>;
  /** Text or number that you choose, never sent. Another value than before replaces the tunnel: it gets a new key and a new address. */
  readonly rotation: pulumi.Output<string | number | undefined>;
  /** The last status that Frontdoor reported: `NEW`, `DEPLOYED` (ready), `ERROR`, `DELETING`, `DELETED`, or another one. */
  readonly status: pulumi.Output<string>;
  /** DNS name of the load balancer, known once the tunnel is DEPLOYED. */
  readonly nlbDnsName: pulumi.Output<string>;
  /** Identifier of the VPN connection, known once the tunnel is DEPLOYED. */
  readonly vpnConnectionId: pulumi.Output<string>;
  /** Addresses, algorithms and lifetimes of the VPN connection. It has no status, because that changes by itself. */
  readonly tunnelConfig: pulumi.Output<TunnelConfig>;
  /** Generated configuration for the remote site. It contains the pre-shared key and is always secret. Undefined with `storeSampleConfig: false`. */
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
  "rotation",
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
  "rotation",
];
