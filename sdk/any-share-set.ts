import type * as pulumi from "@pulumi/pulumi";
import type * as plain from "../provider/fields/types";
import { type Family, type Given, givenTo, isPlain, resourceWith, withoutDeletedWith } from "./resource";
import { shareSetOutputs, type ShareSetProperties } from "./share-set-properties";
import { spelledOptions } from "./spelling";

/** A share of a set; what it leaves out of `envZId` (or `envId`) and `locationId` it has from the set. */
export type SetShareArgs = { [Key in keyof plain.SetShareArgs]: pulumi.Input<plain.SetShareArgs[Key]> };

/** What an IpsecShareSet is made from. */
export type IpsecShareSetArgs = {
  [Key in keyof plain.ShareSetArgs]: Key extends "shares"
    ? pulumi.Input<Record<string, pulumi.Input<SetShareArgs>>>
    : pulumi.Input<plain.ShareSetArgs[Key]>;
};

/** A set of IPsec shares of either family of classes. */
export const AnyShareSet = resourceWith<ShareSetProperties>();
export type AnyShareSet = InstanceType<typeof AnyShareSet>;

/** What Pulumi's class is given for a set. */
export function shareSetOf(
  family: Family,
  name: string,
  args: IpsecShareSetArgs | undefined,
  opts: pulumi.CustomResourceOptions = {},
): Given {
  const options = spelledOptions(withoutDeletedWith(opts));
  return givenTo(family, { type: "IpsecShareSet", name, args: args && inOneSpelling(args), options }, shareSetOutputs);
}

/** With the environment in the one spelling that the state has, as far as the program itself says it: `ignoreChanges` brings that one back. */
const inOneSpelling = (args: IpsecShareSetArgs): IpsecShareSetArgs => ({
  ...ofEnvironment(args),
  shares: isPlain(args.shares)
    ? Object.fromEntries(
        Object.entries(args.shares).map(([key, share]) => [key, isPlain(share) ? ofEnvironment(share) : share]),
      )
    : args.shares,
});

type Spelled = Pick<SetShareArgs, "envZId" | "envId">;

/** Both are left as they are: check tells of that. */
function ofEnvironment<Args extends Spelled>(args: Args): Args {
  if (args.envId == null || args.envZId != null) return args;
  const { envId: envZId, ...others } = args;
  return { ...others, envZId } as unknown as Args;
}
