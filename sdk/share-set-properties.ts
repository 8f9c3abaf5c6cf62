// Generated from provider/fields/share-set.ts by "npm run docs": change that, not this.
import type * as pulumi from "@pulumi/pulumi";
import type { SetShare } from "../provider/fields/types";
import { resourceWith } from "./resource";

/** The arguments of each share in a set, as far as a field has one name. */
export interface SetShareFields {
  /** Private `host:port` of the application, to which the hosting agent connects, such as `db.internal:5432`. The host is a name (underscores allowed, no wildcard), an IPv4 address, or an IPv6 address in brackets. */
  readonly target: pulumi.Input<string>;
  /** Listener port on the tunnel's load balancer, 1 to 65535. */
  readonly ingressPort: pulumi.Input<number>;
  /** Name of the share. 1 to 63 letters, digits and hyphens, without a hyphen at either end. Default: derived from project, stack, the set's name and the key. */
  readonly name?: pulumi.Input<string | undefined> | undefined;
  /** Location of the share. Default: the set's location. If the set has none, Frontdoor chooses (the tunnel's, we assume). If you remove it later, the provider clears it. */
  readonly locationId?: pulumi.Input<string | undefined> | undefined;
  /** Id of an existing share that this resource adopts instead of creating a share. The provider updates the share to your arguments. Used only when the key is new. Later, another id than that in the state is refused. */
  readonly adopt?: pulumi.Input<string | undefined> | undefined;
  /** Keeps the share in Frontdoor when its key is removed, so that another resource can adopt it in the same edit. Set it one `pulumi up` before you remove the key. Deleting the whole set still deletes the share. Default: false. */
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
  /** Id of the tunnel on which the shares are published. A new id moves the shares. Pulumi replaces the set only if the same edit replaces the old tunnel (delete first). */
  readonly ipsecTunnelId: pulumi.Input<string>;
  /** The shares, by key. At most 5,000 shares; `{}` is a set without shares. A new key creates a share, and a changed one updates its share. Removing a key deletes its share, unless the previous `up` set `retain`. */
  readonly shares: pulumi.Input<Record<string, pulumi.Input<SetShareArgs>>>;
  /** Location of shares that have none of their own. Default: Frontdoor chooses (the tunnel's, we assume). */
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
        /** Id of the hosting agent's environment, for shares that have none of their own. You can write it as `envId` instead, but not as both. */
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
  /** Id of the hosting agent's environment, for shares that have none of their own. */
  readonly envZId: pulumi.Output<string | undefined>;
  /** Location of shares that have none of their own. */
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
