// Generated from provider/resources/share-set.ts by "npm run docs": change that, not this.
import type * as pulumi from "@pulumi/pulumi";
import { superArguments } from "./arguments";
import { isOfType, dynamicToken, ShortStacks } from "./resource";
import { AnyShareSet, type IpsecShareSetArgs, shareSetOutputs } from "./share-set-properties";
import { dynamic } from "./dynamic";

/**
 * Manages many shares of one tunnel as a single resource. A key identifies each share. The provider writes only the shares that
 * differ. If some fail, the others are in the state, and the next `pulumi up` does the rest.
 */
export class IpsecShareSet extends AnyShareSet {
  constructor(name: string, args: IpsecShareSetArgs, opts?: pulumi.CustomResourceOptions) {
    const stacks = new ShortStacks();
    try {
      super(...superArguments(dynamic, "IpsecShareSet", shareSetOutputs, name, args, opts));
    } catch (error) {
      throw stacks.whole(error, new.target);
    } finally {
      stacks.end();
    }
  }

  /** True for an IpsecShareSet, also one of another copy of this package. */
  static override isInstance(value: unknown): value is IpsecShareSet {
    return isOfType(value, dynamicToken("IpsecShareSet"));
  }
}
