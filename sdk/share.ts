import type * as pulumi from "@pulumi/pulumi";
import { AnyShare, type IpsecShareArgs, shareOf } from "./any-share";
import { dynamic } from "./dynamic";
import { dynamicToken, isOfType, ShortStacks } from "./resource";

/**
 * A private service published on an IPsec tunnel: an ingress port of the tunnel's load balancer mapped to a target that a
 * hosting agent reaches. A change is one PATCH, or one PUT where a field is cleared.
 */
export class IpsecShare extends AnyShare {
  constructor(name: string, args: IpsecShareArgs, opts?: pulumi.CustomResourceOptions) {
    const stacks = new ShortStacks();
    try {
      super(...shareOf(dynamic, name, args, opts));
    } catch (error) {
      throw stacks.whole(error, new.target);
    } finally {
      stacks.end();
    }
  }

  /** True for an IpsecShare, also one of another copy of this package. */
  static override isInstance(value: unknown): value is IpsecShare {
    return isOfType(value, dynamicToken("IpsecShare"));
  }
}
