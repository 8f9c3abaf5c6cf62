// Generated from provider/resources/share.ts by "npm run docs": change that, not this.
import type * as pulumi from "@pulumi/pulumi";
import { superArguments } from "../arguments";
import { isOfType, pluginToken, ShortStacks } from "../resource";
import { AnyShare, type IpsecShareArgs, shareOutputs } from "../share-properties";
import { plugin } from "./plugin";

/**
 * A private application on an IPsec tunnel. It maps an ingress port of the tunnel's load balancer to a target that a hosting agent
 * reaches. A change is one PATCH. Clearing an optional argument is one PUT.
 */
export class IpsecShare extends AnyShare {
  constructor(name: string, args: IpsecShareArgs, opts?: pulumi.CustomResourceOptions);
  /** Reads an existing resource, as `get` does. */
  constructor(name: string, args: undefined, opts: pulumi.CustomResourceOptions & { id: pulumi.Input<pulumi.ID> });
  constructor(name: string, args: IpsecShareArgs | undefined, opts?: pulumi.CustomResourceOptions) {
    const stacks = new ShortStacks();
    try {
      super(...superArguments(plugin, "IpsecShare", shareOutputs, name, args, opts));
    } catch (error) {
      throw stacks.whole(error, new.target);
    } finally {
      stacks.end();
    }
  }

  /** Reads a resource that another program manages, by its id or by `<frontdoorId>/<id>`. */
  static get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions): IpsecShare {
    return new IpsecShare(name, undefined, { ...opts, id });
  }

  /** True for an IpsecShare of the plugin's, also one of another copy of this package. */
  static override isInstance(value: unknown): value is IpsecShare {
    return isOfType(value, pluginToken("IpsecShare"));
  }
}
