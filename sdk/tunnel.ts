import type * as pulumi from "@pulumi/pulumi";
import { AnyTunnel, hideSampleConfig, type IpsecTunnelArgs, tunnelOf } from "./any-tunnel";
import { dynamic } from "./dynamic";
import { dynamicToken, isOfType, ShortStacks } from "./resource";

/**
 * A managed VPN endpoint that peers with the IPsec device of a remote site. The tunnel is ready, and its outputs are known, once the
 * service reports DEPLOYED. The service cannot update a tunnel, so a change of an argument replaces it.
 */
export class IpsecTunnel extends AnyTunnel {
  constructor(name: string, args: IpsecTunnelArgs, opts?: pulumi.CustomResourceOptions) {
    const stacks = new ShortStacks();
    try {
      super(...tunnelOf(dynamic, name, args, opts));
    } catch (error) {
      throw stacks.whole(error, new.target);
    } finally {
      stacks.end();
    }
    hideSampleConfig(this);
  }

  /** True for an IpsecTunnel, also one of another copy of this package. */
  static override isInstance(value: unknown): value is IpsecTunnel {
    return isOfType(value, dynamicToken("IpsecTunnel"));
  }
}
