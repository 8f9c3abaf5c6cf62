import type * as pulumi from "@pulumi/pulumi";
import { type ConstructorArguments, givenTo, type RegistrationOf, resourceWith } from "./resource";
import {
  type IpsecTunnelConnectionArgs,
  tunnelConnectionOutputs,
  type TunnelConnectionProperties,
} from "./tunnel-connection-properties";

/** A tunnel connection of the dynamic provider or the plugin. */
export const AnyTunnelConnection = resourceWith<TunnelConnectionProperties>();
export type AnyTunnelConnection = InstanceType<typeof AnyTunnelConnection>;

/** Returns the arguments of Pulumi's class for a tunnel connection. */
export const tunnelConnectionOf = (
  registrationOf: RegistrationOf,
  name: string,
  args: IpsecTunnelConnectionArgs | undefined,
  options: pulumi.CustomResourceOptions = {},
): ConstructorArguments =>
  givenTo(registrationOf, { type: "IpsecTunnelConnection", name, args, options }, tunnelConnectionOutputs);
