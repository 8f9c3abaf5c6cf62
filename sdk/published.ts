import * as pulumi from "@pulumi/pulumi";
import type { TunnelProperties } from "./properties";

/** The stack output with which other stacks publish services on a tunnel. It holds no secret. */
export interface PublishedTunnel {
  /** Front door that owns the tunnel. Shares on the tunnel must name the same front door. */
  frontdoorId: string;
  /** Id of the tunnel: the `ipsecTunnelId` of its shares. */
  tunnelId: string;
  /** DNS name of the load balancer, at which the remote site reaches the shares. */
  nlbDnsName: string;
  /** Location of the tunnel. */
  locationId?: string;
}

/** The outputs of a tunnel that are published. */
type Published = Pick<TunnelProperties, "id" | "frontdoorId" | "nlbDnsName" | "locationId">;

/** Returns the stack output for a tunnel, or for the tunnel of a site. Export it: `export const tunnel = publishedTunnel(…)`. */
export function publishedTunnel(of: Published | { readonly tunnel: Published }): pulumi.Output<PublishedTunnel> {
  const { frontdoorId, id: tunnelId, nlbDnsName, locationId } = "tunnel" in of ? of.tunnel : of;
  return pulumi.output({ frontdoorId, tunnelId, nlbDnsName, locationId });
}

/**
 * Returns the tunnel that another stack has published under this output name. The run fails with one line if there is no such output, or
 * if it is no published tunnel.
 */
export function tunnelFrom(stack: pulumi.StackReference, output = "tunnel"): pulumi.Output<PublishedTunnel> {
  // All outputs together are secret if one is, such as a sample configuration. Their names are not.
  const names = pulumi.unsecret(stack.outputs).apply((outputs) => Object.keys(outputs));
  return pulumi.all([stack.name, stack.getOutput(output), names]).apply(([name, value, published]) => {
    const missing = required.filter((key) => typeof (value as Record<string, unknown> | undefined)?.[key] !== "string");
    if (missing.length === 0) return value as PublishedTunnel;
    // Only a program with a wrong name loads this module.
    // eslint-disable-next-line @typescript-eslint/no-require-imports
    const { near } = require("../provider/functions/open") as typeof import("../provider/functions/open");
    const [meant] = near(output, published);
    const others = published.length === 0 ? "" : `, only ${published.slice(0, 5).join(", ")}`;
    const what =
      value === undefined
        ? `has no output "${output}"${others}`
        : `has an output "${output}" that is no published tunnel, because it lacks ${missing.join(", ")}`;
    throw new pulumi.RunError(
      meant !== undefined && value === undefined
        ? `Stack ${name} ${what}. Did you mean tunnelFrom(stack, "${meant}")? [tunnel-not-published]`
        : `Stack ${name} ${what}. In the program of that stack, export publishedTunnel(tunnel), and run "pulumi up" there. [tunnel-not-published]`,
    );
  });
}

const required = ["frontdoorId", "tunnelId", "nlbDnsName"] as const satisfies (keyof PublishedTunnel)[];
