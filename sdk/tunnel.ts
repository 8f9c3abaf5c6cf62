import * as pulumi from "@pulumi/pulumi";
import type { TunnelArgs } from "../provider/hosts/types";
import { tunnelOutputs, TunnelProperties } from "./tunnel-properties";

/** What an IpsecTunnel is made from (contract: Resources). */
export type IpsecTunnelArgs = { [Key in keyof TunnelArgs]: pulumi.Input<TunnelArgs[Key]> };

/**
 * A managed VPN endpoint that peers with the IPsec device of a remote site (spec: IPsec tunnel).
 * It is ready, and its outputs known, once the service reports DEPLOYED. The service has no tunnel update: a change of an argument replaces it.
 */
export class IpsecTunnel extends TunnelProperties {
  constructor(name: string, args: IpsecTunnelArgs, opts: pulumi.CustomResourceOptions = {}) {
    super("tunnel", "IpsecTunnel", name, args, tunnelOutputs, {
      ...opts,
      additionalSecretOutputs: [...new Set([...(opts.additionalSecretOutputs ?? []), "sampleConfig"])],
    });
    Object.assign(this, { sampleConfig: pulumi.secret(this.sampleConfig) });
  }

  /** True for an IpsecTunnel, also one of another copy of this package. */
  static override isInstance(value: unknown): value is IpsecTunnel {
    return (
      (value as { __pulumiType?: unknown } | undefined)?.__pulumiType === "pulumi-nodejs:dynamic/frontdoor:IpsecTunnel"
    );
  }
}
