import type * as pulumi from "@pulumi/pulumi";
import type { ShareArgs } from "../provider/hosts/types";
import { type Family, withoutDeletedWith } from "./resource";
import { shareOutputs, ShareProperties } from "./share-properties";

/** What an IpsecShare is made from (contract: Resources); give `envZId` or its other spelling `envId`, not both. */
export type IpsecShareArgs = { [Key in keyof ShareArgs]: pulumi.Input<ShareArgs[Key]> };

/** An IPsec share of either family of classes. */
export abstract class AnyShare extends ShareProperties {
  /** @internal */
  protected constructor(
    family: Family,
    name: string,
    args: IpsecShareArgs | undefined,
    opts: pulumi.CustomResourceOptions = {},
  ) {
    // The engine knows secrets and ignored changes by their keys: the state has but one spelling.
    const { ignoreChanges, replaceOnChanges, additionalSecretOutputs } = opts;
    const options = {
      ...withoutDeletedWith(opts),
      ...(ignoreChanges && { ignoreChanges: ignoreChanges.map(inOneSpelling) }),
      ...(replaceOnChanges && { replaceOnChanges: replaceOnChanges.map(inOneSpelling) }),
      ...(additionalSecretOutputs && { additionalSecretOutputs: additionalSecretOutputs.map(inOneSpelling) }),
    };
    // Both spellings for transforms, which may name either one in ignoreChanges.
    const isShort = args?.envId != null && args.envZId == null;
    const spelled = isShort ? { ...args, envZId: args.envId, __bothSpellings: true } : args;
    super(family, { type: "IpsecShare", name, args: spelled, options }, shareOutputs);
  }
}

const inOneSpelling = (key: string) => (key === "envId" ? "envZId" : key);
