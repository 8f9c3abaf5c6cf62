import type * as pulumi from "@pulumi/pulumi";
import type { ShareArgs } from "../provider/fields/types";
import { type Family, type Given, givenTo, resourceWith, withoutDeletedWith } from "./resource";
import { shareOutputs, type ShareProperties } from "./share-properties";
import { spelledOptions } from "./spelling";

/** What an IpsecShare is made from; give `envZId` or its other spelling `envId`, not both. */
export type IpsecShareArgs = { [Key in keyof ShareArgs]: pulumi.Input<ShareArgs[Key]> };

/** An IPsec share of either family of classes. */
export const AnyShare = resourceWith<ShareProperties>();
export type AnyShare = InstanceType<typeof AnyShare>;

/** What Pulumi's class is given for a share. */
export function shareOf(
  family: Family,
  name: string,
  args: IpsecShareArgs | undefined,
  opts: pulumi.CustomResourceOptions = {},
): Given {
  // Both spellings for transforms, which may name either one in ignoreChanges.
  const isShort = args?.envId != null && args.envZId == null;
  const spelled = isShort ? { ...args, envZId: args.envId, __bothSpellings: true } : args;
  const options = spelledOptions(withoutDeletedWith(opts));
  return givenTo(family, { type: "IpsecShare", name, args: spelled, options }, shareOutputs);
}
