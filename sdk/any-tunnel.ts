import * as pulumi from "@pulumi/pulumi";
import type { TunnelArgs } from "../provider/fields/types";
import { type Family, type Given, givenTo, resourceWith, withoutDeletedWith } from "./resource";
import { tunnelOutputs, type TunnelProperties } from "./tunnel-properties";

/** What an IpsecTunnel is made from. */
export type IpsecTunnelArgs = { [Key in keyof TunnelArgs]: pulumi.Input<TunnelArgs[Key]> };

/** An IPsec tunnel of either family of classes. */
export const AnyTunnel = resourceWith<TunnelProperties>();
export type AnyTunnel = InstanceType<typeof AnyTunnel>;

/** What Pulumi's class is given for a tunnel. */
export function tunnelOf(
  family: Family,
  name: string,
  args: IpsecTunnelArgs | undefined,
  opts: pulumi.CustomResourceOptions = {},
): Given {
  const additionalSecretOutputs = [...new Set([...(opts.additionalSecretOutputs ?? []), "sampleConfig"])];
  return givenTo(
    family,
    { type: "IpsecTunnel", name, args, options: { ...withoutDeletedWith(opts), additionalSecretOutputs } },
    tunnelOutputs,
  );
}

/** Makes what has the pre-shared key a secret in the program, too. */
export function hideSampleConfig(tunnel: AnyTunnel): void {
  Object.assign(tunnel, { sampleConfig: pulumi.secret(tunnel.sampleConfig) });
}
