import * as pulumi from "@pulumi/pulumi";
import { type RegistrationOf, type ConstructorArguments, givenTo, resourceWith, withoutDeletedWith } from "./resource";
import { type IpsecTunnelArgs, tunnelOutputs, type TunnelProperties } from "./tunnel-properties";

/** An IPsec tunnel of the dynamic provider or the plugin. */
export const AnyTunnel = resourceWith<TunnelProperties>();
export type AnyTunnel = InstanceType<typeof AnyTunnel>;

/** Returns the arguments of Pulumi's class for a tunnel. */
export function tunnelOf(
  registrationOf: RegistrationOf,
  name: string,
  args: IpsecTunnelArgs | undefined,
  opts: pulumi.CustomResourceOptions = {},
): ConstructorArguments {
  // The engine tells no provider, so a preview could not see that the old tunnel stays at its location.
  const declared = args && { ...args, ...(opts.retainOnDelete === true && { __retained: true }) };
  const additionalSecretOutputs = [...new Set([...(opts.additionalSecretOutputs ?? []), "sampleConfig"])];
  return givenTo(
    registrationOf,
    { type: "IpsecTunnel", name, args: declared, options: { ...withoutDeletedWith(opts), additionalSecretOutputs } },
    tunnelOutputs,
  );
}

/** Makes the output with the pre-shared key a secret also in the program. */
export function hideSampleConfig(tunnel: AnyTunnel): void {
  Object.assign(tunnel, { sampleConfig: pulumi.secret(tunnel.sampleConfig) });
}
