import type * as pulumi from "@pulumi/pulumi";
import {
  type RegistrationOf,
  type ConstructorArguments,
  givenTo,
  resourceWith,
  tunnelBehind,
  withoutDeletedWith,
} from "./resource";
import { type IpsecShareArgs, shareOutputs, type ShareProperties } from "./share-properties";
import { spelledOptions } from "./spelling";

/** An IPsec share of the dynamic provider or the plugin. */
export const AnyShare = resourceWith<ShareProperties>();
export type AnyShare = InstanceType<typeof AnyShare>;

/** Returns the arguments of Pulumi's class for a share. */
export function shareOf(
  registrationOf: RegistrationOf,
  name: string,
  args: IpsecShareArgs | undefined,
  opts: pulumi.CustomResourceOptions = {},
): ConstructorArguments {
  // Both spellings for transforms, which may name either one in ignoreChanges.
  const given: { envId?: unknown; envZId?: unknown } = args ?? {};
  const isShort = given.envId != null && given.envZId == null;
  const spelled = args && isShort ? { ...args, envZId: given.envId, __bothSpellings: true } : args;
  const declared = spelled && { ...spelled, ...tunnelBehind(spelled.ipsecTunnelId) };
  const options = spelledOptions(withoutDeletedWith(opts));
  return givenTo(registrationOf, { type: "IpsecShare", name, args: declared, options }, shareOutputs);
}
