import type * as pulumi from "@pulumi/pulumi";
import type { TunnelConnectionArgs } from "../provider/fields/types";
import { type Given, givenTo, type RegistrationOf, resourceWith } from "./resource";
import { tunnelConnectionOutputs, type TunnelConnectionProperties } from "./tunnel-connection-properties";

/** The arguments of an IpsecTunnelConnection. */
export type IpsecTunnelConnectionArgs = {
  [Key in keyof TunnelConnectionArgs]: pulumi.Input<TunnelConnectionArgs[Key]>;
};

/** A tunnel connection of the dynamic provider or the plugin. */
export const AnyTunnelConnection = resourceWith<TunnelConnectionProperties>();
export type AnyTunnelConnection = InstanceType<typeof AnyTunnelConnection>;

/** Returns the arguments of Pulumi's class for a tunnel connection. */
export const tunnelConnectionOf = (
  registrationOf: RegistrationOf,
  name: string,
  args: IpsecTunnelConnectionArgs | undefined,
  options: pulumi.CustomResourceOptions = {},
): Given => givenTo(registrationOf, { type: "IpsecTunnelConnection", name, args, options }, tunnelConnectionOutputs);
