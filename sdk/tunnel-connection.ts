// Generated from provider/resources/tunnel-connection.ts by "npm run docs": change that, not this.
import type * as pulumi from "@pulumi/pulumi";
import { superArguments } from "./arguments";
import { isOfType, dynamicToken, ShortStacks } from "./resource";
import {
  AnyTunnelConnection,
  type IpsecTunnelConnectionArgs,
  tunnelConnectionOutputs,
} from "./tunnel-connection-properties";
import { dynamic } from "./dynamic";

/**
 * On create, waits until the VPN connection of a tunnel is UP. It creates and deletes nothing in Frontdoor. A connection that goes
 * DOWN later is not drift.
 */
export class IpsecTunnelConnection extends AnyTunnelConnection {
  constructor(name: string, args: IpsecTunnelConnectionArgs, opts?: pulumi.CustomResourceOptions) {
    const stacks = new ShortStacks();
    try {
      super(...superArguments(dynamic, "IpsecTunnelConnection", tunnelConnectionOutputs, name, args, opts));
    } catch (error) {
      throw stacks.whole(error, new.target);
    } finally {
      stacks.end();
    }
  }

  /** True for an IpsecTunnelConnection, also one of another copy of this package. */
  static override isInstance(value: unknown): value is IpsecTunnelConnection {
    return isOfType(value, dynamicToken("IpsecTunnelConnection"));
  }
}
