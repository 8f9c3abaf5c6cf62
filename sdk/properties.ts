// Generated from provider/fields by "npm run docs": change that, not this.
import type * as pulumi from "@pulumi/pulumi";
import type { TunnelConfig, SetShare } from "../provider/fields/types";
import { resourceWith } from "./resource";

/** The arguments of an IpsecTunnel. */
export interface IpsecTunnelArgs {
  /** Public IPv4 address of the remote site's IPsec device. For any other address, the provider shows a warning, and Frontdoor decides. A change replaces the tunnel. */
  readonly peerPublicIp: pulumi.Input<string>;
  /** The remote site's network, as a network address without host bits, such as `10.20.0.0/16`. A change replaces the tunnel. */
  readonly peerCidr: pulumi.Input<string>;
  /** Name of the tunnel. Default: derived from project, stack and the resource's name. A change replaces the tunnel. */
  readonly name?: pulumi.Input<string | undefined> | undefined;
  /** Location of the tunnel. According to Frontdoor's specification, a front door can have at most one tunnel at each location. Default: Frontdoor chooses. If you remove this argument later, the tunnel keeps its location. A change replaces the tunnel (create first). */
  readonly locationId?: pulumi.Input<string | undefined> | undefined;
  /** Private IPv4 address of the load balancer. Default: Frontdoor chooses a free one. A change replaces the tunnel. */
  readonly nlbPrivateIp?: pulumi.Input<string | undefined> | undefined;
  /** Front door that owns the tunnel. Default: `frontdoor:frontdoorId`. A change replaces the tunnel (create first). */
  readonly frontdoorId?: pulumi.Input<string | undefined> | undefined;
  /** If true, the encrypted sample configuration, with the pre-shared key, is stored in the state as `sampleConfig`. Default: true. */
  readonly storeSampleConfig?: pulumi.Input<boolean | undefined> | undefined;
  /** Id of an existing tunnel that this resource adopts instead of creating a tunnel. Your arguments must match the existing tunnel. Used only when the resource is created. If you later set another id than the state has, the preview fails. */
  readonly adopt?: pulumi.Input<string | undefined> | undefined;
  /** A number, or a text of 1 to 255 characters without control characters or white space at either end. If you change it, Pulumi replaces the tunnel, and the new tunnel has a new key and a new address. Frontdoor never gets the value. Removing `rotation` replaces nothing. A change replaces the tunnel. */
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
  /** Location of the tunnel. According to Frontdoor's specification, a front door can have at most one tunnel at each location. */
  readonly locationId: pulumi.Output<string | undefined>;
  /** Private IPv4 address of the load balancer. */
  readonly nlbPrivateIp: pulumi.Output<string>;
  /** Front door that owns the tunnel. */
  readonly frontdoorId: pulumi.Output<string>;
  /** A number, or a text of 1 to 255 characters without control characters or white space at either end. If you change it, Pulumi replaces the tunnel, and the new tunnel has a new key and a new address. Frontdoor never gets the value. */
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

/** The arguments of an IpsecShare, as far as a field has one name. */
export interface IpsecShareFields {
  /** Id of the tunnel on which the share is published. If you change it, the share moves to that tunnel. If the same edit replaces the old tunnel (delete first), Pulumi replaces the share. */
  readonly ipsecTunnelId: pulumi.Input<string>;
  /** Private `host:port` of the application, to which the hosting agent connects, such as `db.internal:5432`. The host is a name (underscores allowed, no wildcard), an IPv4 address, or an IPv6 address in brackets. */
  readonly target: pulumi.Input<string>;
  /** Listener port on the tunnel's load balancer, 1 to 65535. */
  readonly ingressPort: pulumi.Input<number>;
  /** Name of the share. 1 to 63 letters, digits and hyphens, without a hyphen at either end. Default: derived from project, stack and the resource's name. */
  readonly name?: pulumi.Input<string | undefined> | undefined;
  /** Location of the share. Default: Frontdoor chooses. We assume that it takes the tunnel's location. If you remove this argument later, the provider removes its value from the resource. */
  readonly locationId?: pulumi.Input<string | undefined> | undefined;
  /** Front door that owns the share. Default: `frontdoor:frontdoorId`. A change replaces the share (create first). */
  readonly frontdoorId?: pulumi.Input<string | undefined> | undefined;
  /** Id of an existing share that this resource adopts instead of creating a share. The provider updates the share to your arguments. Used only when the resource is created. If you later set another id than the state has, the preview fails. */
  readonly adopt?: pulumi.Input<string | undefined> | undefined;
}

/** The arguments of an IpsecShare. */
export type IpsecShareArgs = IpsecShareFields &
  (
    | {
        /** Id of the hosting agent's environment. Required. You can write it as `envId` instead, but not as both. */
        readonly envZId: pulumi.Input<string>;
        readonly envId?: undefined;
      }
    | {
        /** Another spelling of `envZId`. */
        readonly envId: pulumi.Input<string>;
        readonly envZId?: undefined;
      }
  );

/** The outputs of an IPsec share. */
export declare abstract class ShareProperties extends pulumi.CustomResource {
  /** Id of the tunnel on which the share is published. */
  readonly ipsecTunnelId: pulumi.Output<string>;
  /** Id of the hosting agent's environment. */
  readonly envZId: pulumi.Output<string>;
  /** Private `host:port` of the application, to which the hosting agent connects, such as `db.internal:5432`. The host is a name (underscores allowed, no wildcard), an IPv4 address, or an IPv6 address in brackets. */
  readonly target: pulumi.Output<string>;
  /** Listener port on the tunnel's load balancer, 1 to 65535. */
  readonly ingressPort: pulumi.Output<number>;
  /** Name of the share. */
  readonly name: pulumi.Output<string>;
  /** Location of the share. */
  readonly locationId: pulumi.Output<string | undefined>;
  /** Front door that owns the share. */
  readonly frontdoorId: pulumi.Output<string>;
  /** The last status that Frontdoor reported: `NEW`, `DEPLOYED` (ready), `ERROR`, `DELETING`, `DELETED`, or another one. */
  readonly status: pulumi.Output<string>;
}

/** An IPsec share of the dynamic provider or the plugin. */
export const AnyShare = resourceWith<ShareProperties>();
export type AnyShare = InstanceType<typeof AnyShare>;

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

/** The names of the arguments. */
export const shareArguments = [
  "ipsecTunnelId",
  "envZId",
  "envId",
  "target",
  "ingressPort",
  "name",
  "locationId",
  "frontdoorId",
  "adopt",
];

/** The arguments of each share in a set, as far as a field has one name. */
export interface SetShareFields {
  /** Private `host:port` of the application, to which the hosting agent connects, such as `db.internal:5432`. The host is a name (underscores allowed, no wildcard), an IPv4 address, or an IPv6 address in brackets. */
  readonly target: pulumi.Input<string>;
  /** Listener port on the tunnel's load balancer, 1 to 65535. */
  readonly ingressPort: pulumi.Input<number>;
  /** Name of the share. 1 to 63 letters, digits and hyphens, without a hyphen at either end. Default: derived from project, stack, the set's name and the key. */
  readonly name?: pulumi.Input<string | undefined> | undefined;
  /** Location of the share. Default: the set's location. If the set has none, Frontdoor chooses. We assume that it takes the tunnel's location. If you remove this argument later, the provider removes its value from the resource. */
  readonly locationId?: pulumi.Input<string | undefined> | undefined;
  /** Id of an existing share that this resource adopts instead of creating a share. The provider updates the share to your arguments. Used only when the key is new. If you later set another id than the state has, the preview fails. */
  readonly adopt?: pulumi.Input<string | undefined> | undefined;
  /** If true, the share stays in Frontdoor when you remove its key. Set `retain`, run `pulumi up`, and then remove the key. In the edit that removes the key, another resource can adopt the share. If you delete the whole set, Pulumi still deletes the share. Default: false. */
  readonly retain?: pulumi.Input<boolean | undefined> | undefined;
}

/** The arguments of each share in a set. */
export type SetShareArgs = SetShareFields &
  (
    | {
        /** Id of the hosting agent's environment. You can write it as `envId` instead, but not as both. Default: the set's environment. */
        readonly envZId?: pulumi.Input<string | undefined> | undefined;
        readonly envId?: undefined;
      }
    | {
        /** Another spelling of `envZId`. */
        readonly envId: pulumi.Input<string | undefined> | undefined;
        readonly envZId?: undefined;
      }
  );

/** The arguments of an IpsecShareSet, as far as a field has one name. */
export interface IpsecShareSetFields {
  /** Id of the tunnel on which the shares are published. If you change it, the shares move to that tunnel. If the same edit replaces the old tunnel (delete first), Pulumi replaces the set. */
  readonly ipsecTunnelId: pulumi.Input<string>;
  /** The shares, by key. At most 5,000. `{}` is a set without shares. If you add a key, Pulumi creates its share. If you change one, Pulumi updates its share. If you remove one, Pulumi deletes its share. To keep the share, first set `retain`. */
  readonly shares: pulumi.Input<Record<string, pulumi.Input<SetShareArgs>>>;
  /** Location of shares without a `locationId` of their own. Default: Frontdoor chooses. We assume that it takes the tunnel's location. */
  readonly locationId?: pulumi.Input<string | undefined> | undefined;
  /** DNS name of the tunnel's load balancer. The set needs it for `endpoints`. */
  readonly nlbDnsName?: pulumi.Input<string | undefined> | undefined;
  /** Front door that owns the shares. Default: `frontdoor:frontdoorId`. A change replaces the share set (create first). */
  readonly frontdoorId?: pulumi.Input<string | undefined> | undefined;
}

/** The arguments of an IpsecShareSet. */
export type IpsecShareSetArgs = IpsecShareSetFields &
  (
    | {
        /** Id of the hosting agent's environment, for shares without an `envZId` of their own. You can write it as `envId` instead, but not as both. */
        readonly envZId?: pulumi.Input<string | undefined> | undefined;
        readonly envId?: undefined;
      }
    | {
        /** Another spelling of `envZId`. */
        readonly envId: pulumi.Input<string | undefined> | undefined;
        readonly envZId?: undefined;
      }
  );

/** The outputs of an IPsec share set. */
export declare abstract class ShareSetProperties extends pulumi.CustomResource {
  /** Id of the tunnel on which the shares are published. */
  readonly ipsecTunnelId: pulumi.Output<string>;
  /** The shares, by key. */
  readonly shares: pulumi.Output<Record<string, SetShare>>;
  /** Id of the hosting agent's environment, for shares without an `envZId` of their own. */
  readonly envZId: pulumi.Output<string | undefined>;
  /** Location of shares without a `locationId` of their own. */
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

/** An IPsec share set of the dynamic provider or the plugin. */
export const AnyShareSet = resourceWith<ShareSetProperties>();
export type AnyShareSet = InstanceType<typeof AnyShareSet>;

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

/** The names of the arguments. */
export const shareSetArguments = [
  "ipsecTunnelId",
  "shares",
  "envZId",
  "envId",
  "locationId",
  "nlbDnsName",
  "frontdoorId",
];

/** The arguments of an IpsecTunnelConnection. */
export interface IpsecTunnelConnectionArgs {
  /** Id of the tunnel. The resource waits for the VPN connection of this tunnel. A change replaces the tunnel connection (create first). */
  readonly tunnelId: pulumi.Input<string>;
  /** Front door that owns the tunnel. Default: `frontdoor:frontdoorId`. A change replaces the tunnel connection (create first). */
  readonly frontdoorId?: pulumi.Input<string | undefined> | undefined;
}

/** The outputs of an IPsec tunnel connection. */
export declare abstract class TunnelConnectionProperties extends pulumi.CustomResource {
  /** Id of the tunnel. The resource waits for the VPN connection of this tunnel. */
  readonly tunnelId: pulumi.Output<string>;
  /** Front door that owns the tunnel. */
  readonly frontdoorId: pulumi.Output<string>;
  /** Outside IP address of the connection. */
  readonly outsideIpAddress: pulumi.Output<string | undefined>;
  /** CIDR block inside the connection. */
  readonly insideCidr: pulumi.Output<string | undefined>;
}

/** An IPsec tunnel connection of the dynamic provider or the plugin. */
export const AnyTunnelConnection = resourceWith<TunnelConnectionProperties>();
export type AnyTunnelConnection = InstanceType<typeof AnyTunnelConnection>;

/** The names of the outputs. */
export const tunnelConnectionOutputs = ["tunnelId", "frontdoorId", "outsideIpAddress", "insideCidr"];

/** The names of the arguments. */
export const tunnelConnectionArguments = ["tunnelId", "frontdoorId"];
