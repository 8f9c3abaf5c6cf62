import * as pulumi from "@pulumi/pulumi";
import {
  type RegistrationOf,
  type ConstructorArguments,
  givenTo,
  isPlain,
  resourceWith,
  tunnelBehind,
  withoutDeletedWith,
} from "./resource";
import {
  type IpsecShareSetArgs,
  type SetShareArgs,
  shareSetOutputs,
  type ShareSetProperties,
} from "./share-set-properties";
import { spelledOptions } from "./spelling";

/** A set of IPsec shares of the dynamic provider or the plugin. */
export const AnyShareSet = resourceWith<ShareSetProperties>();
export type AnyShareSet = InstanceType<typeof AnyShareSet>;

/** Returns the arguments of Pulumi's class for a set. */
export function shareSetOf(
  registrationOf: RegistrationOf,
  name: string,
  args: IpsecShareSetArgs | undefined,
  opts: pulumi.CustomResourceOptions = {},
): ConstructorArguments {
  if (args && isPlain(args.shares)) refuseInheritedKeys(`IpsecShareSet "${name}"`, args.shares);
  const options = spelledOptions(withoutDeletedWith(opts));
  return givenTo(
    registrationOf,
    {
      type: "IpsecShareSet",
      name,
      args: args && { ...inOneSpelling(args), ...tunnelBehind(args.ipsecTunnelId) },
      options,
    },
    shareSetOutputs,
  );
}

/**
 * Refuses a key that every JavaScript object has: objects that Pulumi makes would take it for something else. A literal `__proto__` in a
 * program is no key, but the prototype.
 */
export function refuseInheritedKeys(label: string, shares: object): void {
  const prototype: unknown = Object.getPrototypeOf(shares);
  const isLiteral = typeof prototype === "object" && prototype !== null && Object.getPrototypeOf(prototype) !== null;
  const key = isLiteral ? "__proto__" : Object.keys(shares).find((each) => each in Object.prototype);
  if (key === undefined) return;
  const problem = `${label}: "${key}" can't be the key of a share, because every JavaScript object has a property of this name`;
  throw new pulumi.RunError(`${problem}. Nothing was sent for it. Give the share another key. [invalid-input]`);
}

/** Returns the arguments with the environment as `envZId`, if the program itself gives it. The state has this spelling, and `ignoreChanges` restores it. */
const inOneSpelling = (args: IpsecShareSetArgs): IpsecShareSetArgs => ({
  ...ofEnvironment(args),
  shares: isPlain(args.shares)
    ? Object.fromEntries(
        Object.entries(args.shares).map(([key, share]) => [key, isPlain(share) ? ofEnvironment(share) : share]),
      )
    : args.shares,
});

type Spelled = SetShareArgs | IpsecShareSetArgs;

/** Keeps both spellings if the program gives both, so that check can refuse them. */
function ofEnvironment<Args extends Spelled>(args: Args): Args {
  // A program without types can give both.
  const given: { envId?: unknown; envZId?: unknown } = args;
  if (given.envId == null || given.envZId != null) return args;
  const { envId: envZId, ...others } = args;
  return { ...others, envZId } as unknown as Args;
}
