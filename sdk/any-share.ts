import type * as pulumi from "@pulumi/pulumi";
import type { ShareArgs } from "../provider/hosts/types";
import { type Family, withoutDeletedWith } from "./resource";
import { shareOutputs, ShareProperties } from "./share-properties";
import { spelledOptions } from "./spelling";

/** What an IpsecShare is made from; give `envZId` or its other spelling `envId`, not both. */
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
    // Both spellings for transforms, which may name either one in ignoreChanges.
    const isShort = args?.envId != null && args.envZId == null;
    const spelled = isShort ? { ...args, envZId: args.envId, __bothSpellings: true } : args;
    super(
      family,
      { type: "IpsecShare", name, args: spelled, options: spelledOptions(withoutDeletedWith(opts)) },
      shareOutputs,
    );
  }
}
