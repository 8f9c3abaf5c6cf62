// Generated from provider/resources/tunnel-connection.ts by "npm run docs": change that, not this.
import type * as pulumi from "@pulumi/pulumi";
import { superArguments } from "../arguments";
import { isOfType, pluginToken, ShortStacks } from "../resource";
import {
  AnyTunnelConnection,
  type IpsecTunnelConnectionArgs,
  tunnelConnectionOutputs,
} from "../tunnel-connection-properties";
import { plugin } from "./plugin";

/**
 * On create, waits until the VPN connection of a tunnel is UP. It creates and deletes nothing in Frontdoor. A connection that goes
 * DOWN later is not drift.
 */
export class IpsecTunnelConnection extends AnyTunnelConnection {
  constructor(name: string, args: IpsecTunnelConnectionArgs, opts?: pulumi.CustomResourceOptions);
  /** Reads an existing resource, as `get` does. */
  constructor(name: string, args: undefined, opts: pulumi.CustomResourceOptions & { id: pulumi.Input<pulumi.ID> });
  constructor(name: string, args: IpsecTunnelConnectionArgs | undefined, opts?: pulumi.CustomResourceOptions) {
    const stacks = new ShortStacks();
    try {
      super(...superArguments(plugin, "IpsecTunnelConnection", tunnelConnectionOutputs, name, args, opts));
    } catch (error) {
      throw stacks.whole(error, new.target);
    } finally {
      stacks.end();
    }
  }

  /** Reads a resource that another program manages, by its id or by `<frontdoorId>/<id>`. */
  static get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions): IpsecTunnelConnection {
    return new IpsecTunnelConnection(name, undefined, { ...opts, id });
  }

  /** True for an IpsecTunnelConnection of the plugin's, also one of another copy of this package. */
  static override isInstance(value: unknown): value is IpsecTunnelConnection {
    return isOfType(value, pluginToken("IpsecTunnelConnection"));
  }
}
