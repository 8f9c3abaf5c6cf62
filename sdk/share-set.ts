import type * as pulumi from "@pulumi/pulumi";
import { AnyShareSet, shareSetOf } from "./any-share-set";
import { dynamic } from "./dynamic";
import { dynamicToken, isOfType } from "./resource";
import type { IpsecShareSetArgs } from "./share-set-properties";

/**
 * Many IPsec shares of one tunnel as one resource, by key. The provider writes only the shares that differ. If some of them fail, the
 * state keeps the shares that succeeded, and the next `pulumi up` does the rest.
 */
export class IpsecShareSet extends AnyShareSet {
  constructor(name: string, args: IpsecShareSetArgs, opts?: pulumi.CustomResourceOptions) {
    super(...shareSetOf(dynamic, name, args, opts));
  }

  /** True for an IpsecShareSet, also one of another copy of this package. */
  static override isInstance(value: unknown): value is IpsecShareSet {
    return isOfType(value, dynamicToken("IpsecShareSet"));
  }
}
