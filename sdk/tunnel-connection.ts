import type * as pulumi from "@pulumi/pulumi";
import { AnyTunnelConnection, tunnelConnectionOf } from "./any-tunnel-connection";
import { dynamic } from "./dynamic";
import { dynamicToken, isOfType } from "./resource";
import type { IpsecTunnelConnectionArgs } from "./tunnel-connection-properties";

/**
 * Waits, when it is created, until the VPN connection of a tunnel is UP. It creates and deletes nothing at the service.
 * A connection that is DOWN later is not drift.
 */
export class IpsecTunnelConnection extends AnyTunnelConnection {
  constructor(name: string, args: IpsecTunnelConnectionArgs, opts?: pulumi.CustomResourceOptions) {
    super(...tunnelConnectionOf(dynamic, name, args, opts));
  }

  /** True for an IpsecTunnelConnection, also one of another copy of this package. */
  static override isInstance(value: unknown): value is IpsecTunnelConnection {
    return isOfType(value, dynamicToken("IpsecTunnelConnection"));
  }
}
