// Generated from provider/resources/tunnel.ts by "npm run docs": change that, not this.
import type * as pulumi from "@pulumi/pulumi";
import { superArguments } from "../arguments";
import { hideOutput, isOfType, pluginToken, ShortStacks } from "../resource";
import { AnyTunnel, type IpsecTunnelArgs, tunnelOutputs } from "../tunnel-properties";
import { plugin } from "./plugin";

/**
 * A managed VPN endpoint that peers with the IPsec device of a remote site. The tunnel is ready, and its outputs are known, once
 * Frontdoor reports DEPLOYED. Frontdoor cannot update a tunnel, so changing most arguments replaces it.
 */
export class IpsecTunnel extends AnyTunnel {
  constructor(name: string, args: IpsecTunnelArgs, opts?: pulumi.CustomResourceOptions);
  /** Reads an existing resource, as `get` does. */
  constructor(name: string, args: undefined, opts: pulumi.CustomResourceOptions & { id: pulumi.Input<pulumi.ID> });
  constructor(name: string, args: IpsecTunnelArgs | undefined, opts?: pulumi.CustomResourceOptions) {
    const stacks = new ShortStacks();
    try {
      super(...superArguments(plugin, "IpsecTunnel", tunnelOutputs, name, args, opts));
    } catch (error) {
      throw stacks.whole(error, new.target);
    } finally {
      stacks.end();
    }
    hideOutput(this, "sampleConfig");
  }

  /** Reads a resource that another program manages, by its id or by `<frontdoorId>/<id>`. */
  static get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions): IpsecTunnel {
    return new IpsecTunnel(name, undefined, { ...opts, id });
  }

  /** True for an IpsecTunnel of the plugin's, also one of another copy of this package. */
  static override isInstance(value: unknown): value is IpsecTunnel {
    return isOfType(value, pluginToken("IpsecTunnel"));
  }
}
