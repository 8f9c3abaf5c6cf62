import * as pulumi from "@pulumi/pulumi";
import type { TunnelArgs, TunnelConfig } from "../provider/hosts/types";
import { FrontdoorResource } from "./resource";

/** What an IpsecTunnel is made from (contract: Resources). */
export type IpsecTunnelArgs = { [Key in keyof TunnelArgs]: pulumi.Input<TunnelArgs[Key]> };

/**
 * A managed VPN endpoint that peers with the IPsec device of a remote site (spec: IPsec tunnel).
 * It is ready, and its outputs known, once the service reports DEPLOYED. The service has no tunnel update: a change of an argument replaces it.
 */
export class IpsecTunnel extends FrontdoorResource {
  /** Name of the tunnel. */
  declare readonly name: pulumi.Output<string>;
  /** Front door that owns the tunnel. */
  declare readonly frontdoorId: pulumi.Output<string>;
  /** Location of the tunnel, where it has one. */
  declare readonly locationId: pulumi.Output<string | undefined>;
  /** `DEPLOYED` once it is ready; else `NEW`, `ERROR`, `DELETING` or `DELETED` as last seen. */
  declare readonly status: pulumi.Output<string>;
  /** Public IPv4 address of the remote site's IPsec device. */
  declare readonly peerPublicIp: pulumi.Output<string>;
  /** CIDR block behind the peer. */
  declare readonly peerCidr: pulumi.Output<string>;
  /** Private IPv4 address of the load balancer. */
  declare readonly nlbPrivateIp: pulumi.Output<string>;
  /** DNS name of the load balancer. */
  declare readonly nlbDnsName: pulumi.Output<string>;
  /** Identifier of the VPN connection. */
  declare readonly vpnConnectionId: pulumi.Output<string>;
  /** The VPN connection's stable details: addresses, algorithms, lifetimes in seconds. */
  declare readonly tunnelConfig: pulumi.Output<TunnelConfig>;
  /** Generated configuration for the remote site, with the pre-shared key: always secret. Undefined with `storeSampleConfig: false`. */
  declare readonly sampleConfig: pulumi.Output<string | undefined>;

  constructor(name: string, args: IpsecTunnelArgs, opts: pulumi.CustomResourceOptions = {}) {
    super(
      "tunnel",
      "IpsecTunnel",
      name,
      args,
      [
        "name",
        "frontdoorId",
        "locationId",
        "status",
        "nlbPrivateIp",
        "nlbDnsName",
        "vpnConnectionId",
        "tunnelConfig",
        "sampleConfig",
      ],
      {
        ...opts,
        additionalSecretOutputs: [...new Set([...(opts.additionalSecretOutputs ?? []), "sampleConfig"])],
      },
    );
    this.sampleConfig = pulumi.secret(this.sampleConfig);
  }

  /** True for an IpsecTunnel, also one of another copy of this package. */
  static override isInstance(value: unknown): value is IpsecTunnel {
    return (
      (value as { __pulumiType?: unknown } | undefined)?.__pulumiType === "pulumi-nodejs:dynamic/frontdoor:IpsecTunnel"
    );
  }
}
