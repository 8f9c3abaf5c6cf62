// Generated from sdk/tunnel.ts by "npm run docs": change that, not this.
import type * as pulumi from "@pulumi/pulumi";
import { AnyTunnel, hideSampleConfig, type IpsecTunnelArgs, tunnelOf } from "../any-tunnel";
import { isOfType, pluginToken, ShortStacks } from "../resource";
import { plugin } from "./plugin";

/**
 * A managed VPN endpoint that peers with the IPsec device of a remote site.
 * It is ready, and its outputs known, once the service reports DEPLOYED. The service has no tunnel update: a change of an argument replaces it.
 */
export class IpsecTunnel extends AnyTunnel {
  constructor(name: string, args: IpsecTunnelArgs, opts?: pulumi.CustomResourceOptions);
  /** One that exists, as `get` makes it. */
  constructor(name: string, args: undefined, opts: pulumi.CustomResourceOptions & { id: pulumi.Input<pulumi.ID> });
  constructor(name: string, args: IpsecTunnelArgs | undefined, opts?: pulumi.CustomResourceOptions) {
    const stacks = new ShortStacks();
    try {
      super(...tunnelOf(plugin, name, args, opts));
    } catch (error) {
      throw stacks.whole(error, new.target);
    } finally {
      stacks.end();
    }
    hideSampleConfig(this);
  }

  /** One that exists, managed elsewhere: only read, by its id or by `<frontdoorId>/<id>`. */
  static get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions): IpsecTunnel {
    return new IpsecTunnel(name, undefined, { ...opts, id });
  }

  /** True for an IpsecTunnel of the plugin's, also one of another copy of this package. */
  static override isInstance(value: unknown): value is IpsecTunnel {
    return isOfType(value, pluginToken("IpsecTunnel"));
  }
}
