import * as pulumi from "@pulumi/pulumi";
import type { TunnelArgs } from "../provider/hosts/types";
import type { Family } from "./resource";
import { tunnelOutputs, TunnelProperties } from "./tunnel-properties";

/** What an IpsecTunnel is made from. */
export type IpsecTunnelArgs = { [Key in keyof TunnelArgs]: pulumi.Input<TunnelArgs[Key]> };

/** An IPsec tunnel of either family of classes. */
export abstract class AnyTunnel extends TunnelProperties {
  /** @internal */
  protected constructor(
    family: Family,
    name: string,
    args: IpsecTunnelArgs | undefined,
    opts: pulumi.CustomResourceOptions = {},
  ) {
    const additionalSecretOutputs = [...new Set([...(opts.additionalSecretOutputs ?? []), "sampleConfig"])];
    super(family, { type: "IpsecTunnel", name, args, options: { ...opts, additionalSecretOutputs } }, tunnelOutputs);
    Object.assign(this, { sampleConfig: pulumi.secret(this.sampleConfig) });
  }
}
