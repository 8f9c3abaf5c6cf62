// Generated from provider/fields/share.ts by "npm run docs": change that, not this.
import type * as pulumi from "@pulumi/pulumi";
import { resourceWith } from "./resource";

/** The arguments of an IpsecShare, as far as a field has one name. */
export interface IpsecShareFields {
  /** Id of the tunnel on which the share is published. A new id moves the share. Pulumi replaces the share only if the same edit replaces the old tunnel (delete first). */
  readonly ipsecTunnelId: pulumi.Input<string>;
  /** Private `host:port` of the application, to which the hosting agent connects, such as `db.internal:5432`. The host is a name (underscores allowed, no wildcard), an IPv4 address, or an IPv6 address in brackets. */
  readonly target: pulumi.Input<string>;
  /** Listener port on the tunnel's load balancer, 1 to 65535. */
  readonly ingressPort: pulumi.Input<number>;
  /** Name of the share. 1 to 63 letters, digits and hyphens, without a hyphen at either end. Default: derived from project, stack and the resource's name. */
  readonly name?: pulumi.Input<string | undefined> | undefined;
  /** Location of the share. Default: Frontdoor chooses (the tunnel's, we assume). If you remove it later, the provider clears it. */
  readonly locationId?: pulumi.Input<string | undefined> | undefined;
  /** Front door that owns the share. Default: `frontdoor:frontdoorId`. A change replaces the share (create first). */
  readonly frontdoorId?: pulumi.Input<string | undefined> | undefined;
  /** Id of an existing share that this resource adopts instead of creating a share. The provider updates the share to your arguments. Used only when the resource is created. Later, another id than that in the state is refused. */
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
