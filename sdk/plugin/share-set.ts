// Generated from provider/resources/share-set.ts by "npm run docs": change that, not this.
import type * as pulumi from "@pulumi/pulumi";
import { superArguments } from "../arguments";
import { isOfType, pluginToken, ShortStacks } from "../resource";
import { AnyShareSet, type IpsecShareSetArgs, shareSetOutputs } from "../share-set-properties";
import { plugin } from "./plugin";

/**
 * Manages many shares of one tunnel as a single resource. A key identifies each share. The provider writes only the shares that
 * differ. If some fail, the others are in the state, and the next `pulumi up` does the rest.
 */
export class IpsecShareSet extends AnyShareSet {
  constructor(name: string, args: IpsecShareSetArgs, opts?: pulumi.CustomResourceOptions);
  /** Reads an existing resource, as `get` does. */
  constructor(name: string, args: undefined, opts: pulumi.CustomResourceOptions & { id: pulumi.Input<pulumi.ID> });
  constructor(name: string, args: IpsecShareSetArgs | undefined, opts?: pulumi.CustomResourceOptions) {
    const stacks = new ShortStacks();
    try {
      super(...superArguments(plugin, "IpsecShareSet", shareSetOutputs, name, args, opts));
    } catch (error) {
      throw stacks.whole(error, new.target);
    } finally {
      stacks.end();
    }
  }

  /** Reads the shares of a tunnel that another program manages, by `tunnel/<tunnelId>` or `<frontdoorId>/tunnel/<tunnelId>`. */
  static get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions): IpsecShareSet {
    return new IpsecShareSet(name, undefined, { ...opts, id });
  }

  /** True for an IpsecShareSet of the plugin's, also one of another copy of this package. */
  static override isInstance(value: unknown): value is IpsecShareSet {
    return isOfType(value, pluginToken("IpsecShareSet"));
  }
}
