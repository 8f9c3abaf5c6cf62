import type * as pulumi from "@pulumi/pulumi";
import { AnyShare, type IpsecShareArgs, shareOf } from "./any-share";
import { dynamic } from "./dynamic";
import { dynamicToken, isOfType, ShortStacks } from "./resource";

/**
 * A private service on an IPsec tunnel. It maps an ingress port of the tunnel's load balancer to a target that a hosting agent
 * reaches. The provider sends a change as one PATCH, or as one PUT if it clears a field.
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
