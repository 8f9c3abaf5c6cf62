// Generated from provider/fields/tunnel-connection.ts by "npm run docs": change that, not this.
import type * as pulumi from "@pulumi/pulumi";
import { resourceWith } from "./resource";

/** The arguments of an IpsecTunnelConnection. */
export interface IpsecTunnelConnectionArgs {
  /** Id of the tunnel whose VPN connection to wait for. A change replaces the tunnel connection (create first). */
  readonly tunnelId: pulumi.Input<string>;
  /** Front door that owns the tunnel. Default: `frontdoor:frontdoorId`. A change replaces the tunnel connection (create first). */
  readonly frontdoorId?: pulumi.Input<string | undefined> | undefined;
}

/** The outputs of an IPsec tunnel connection. */
export declare abstract class TunnelConnectionProperties extends pulumi.CustomResource {
  /** Id of the tunnel whose VPN connection to wait for. */
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
