// Generated from sdk/share-set.ts by "npm run docs": change that, not this.
import type * as pulumi from "@pulumi/pulumi";
import { AnyShareSet, type IpsecShareSetArgs, shareSetOf } from "../any-share-set";
import { isOfType, pluginToken, ShortStacks } from "../resource";
import { plugin } from "./plugin";

/**
 * Many IPsec shares of one tunnel as one resource: sent, waited for and kept in the state together, each by its key.
 * A change writes exactly what differs, share by share; where some fail, the others are kept and the next `up` does the rest.
 */
export class IpsecShareSet extends AnyShareSet {
  constructor(name: string, args: IpsecShareSetArgs, opts?: pulumi.CustomResourceOptions);
  /** One that exists, as `get` makes it. */
  constructor(name: string, args: undefined, opts: pulumi.CustomResourceOptions & { id: pulumi.Input<pulumi.ID> });
  constructor(name: string, args: IpsecShareSetArgs | undefined, opts?: pulumi.CustomResourceOptions) {
    const stacks = new ShortStacks();
    try {
      super(...shareSetOf(plugin, name, args, opts));
    } catch (error) {
      throw stacks.whole(error, new.target);
    } finally {
      stacks.end();
    }
  }

  /** What a tunnel has, managed elsewhere: only read, by `tunnel/<tunnelId>`, `tunnel/<tunnelId>/<pattern of names>` or `<frontdoorId>/tunnel/<tunnelId>`. */
  static get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions): IpsecShareSet {
    return new IpsecShareSet(name, undefined, { ...opts, id });
  }

  /** True for an IpsecShareSet of the plugin's, also one of another copy of this package. */
  static override isInstance(value: unknown): value is IpsecShareSet {
    return isOfType(value, pluginToken("IpsecShareSet"));
  }
}
