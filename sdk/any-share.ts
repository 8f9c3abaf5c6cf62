import type * as pulumi from "@pulumi/pulumi";
import type { ShareArgs } from "../provider/fields/types";
import { type RegistrationOf, type Given, givenTo, resourceWith, withoutDeletedWith } from "./resource";
import { shareOutputs, type ShareProperties } from "./share-properties";
import { spelledOptions } from "./spelling";

/** The arguments of an IpsecShare. Give either `envZId` or its other spelling `envId`. */
export type IpsecShareArgs = { [Key in keyof ShareArgs]: pulumi.Input<ShareArgs[Key]> };

/** An IPsec share of the dynamic provider or the plugin. */
export const AnyShare = resourceWith<ShareProperties>();
export type AnyShare = InstanceType<typeof AnyShare>;

/** Returns the arguments of Pulumi's class for a share. */
export function shareOf(
  registrationOf: RegistrationOf,
  name: string,
  args: IpsecShareArgs | undefined,
  opts: pulumi.CustomResourceOptions = {},
): Given {
  // Both spellings for transforms, which may name either one in ignoreChanges.
  const isShort = args?.envId != null && args.envZId == null;
  const spelled = isShort ? { ...args, envZId: args.envId, __bothSpellings: true } : args;
  const options = spelledOptions(withoutDeletedWith(opts));
  return givenTo(registrationOf, { type: "IpsecShare", name, args: spelled, options }, shareOutputs);
}
