import type * as pulumi from "@pulumi/pulumi";
import { AnyShare, type IpsecShareArgs } from "./any-share";
import { dynamic } from "./dynamic";
import { dynamicToken, isOfType } from "./resource";

/**
 * A private service published on an IPsec tunnel: an ingress port of the tunnel's load balancer mapped to a target that a
 * hosting agent reaches. A change is one PATCH, or one PUT where a field is cleared.
 */
export class IpsecShare extends AnyShare {
  constructor(name: string, args: IpsecShareArgs, opts?: pulumi.CustomResourceOptions) {
    super(dynamic, name, args, opts);
  }

  /** True for an IpsecShare, also one of another copy of this package. */
  static override isInstance(value: unknown): value is IpsecShare {
    return isOfType(value, dynamicToken("IpsecShare"));
  }
}
