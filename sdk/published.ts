import * as pulumi from "@pulumi/pulumi";
import type { TunnelProperties } from "./tunnel-properties";

/** What a stack tells other stacks of its tunnel, so that they can publish services on it; nothing of it is secret. */
export interface PublishedTunnel {
  /** Front door that owns the tunnel: shares on it name it, too. */
  frontdoorId: string;
  /** Id of the tunnel, the `ipsecTunnelId` of shares on it. */
  tunnelId: string;
  /** DNS name of the load balancer, where the remote site finds the shares. */
  nlbDnsName: string;
  /** Location of the tunnel. */
  locationId?: string;
}

/** The outputs that it is told by. */
type Published = Pick<TunnelProperties, "id" | "frontdoorId" | "nlbDnsName" | "locationId">;

/** The stack output by which other stacks publish on this tunnel: `export const tunnel = publishedTunnel(…)`. */
export function publishedTunnel(tunnel: Published): pulumi.Output<PublishedTunnel> {
  const { frontdoorId, id: tunnelId, nlbDnsName, locationId } = tunnel;
  return pulumi.output({ frontdoorId, tunnelId, nlbDnsName, locationId });
}

/**
 * The tunnel that another stack has published under this output name.
 * The run fails with one line that says what is wrong where there is no such output, or it is something else.
 */
export function tunnelFrom(stack: pulumi.StackReference, output = "tunnel"): pulumi.Output<PublishedTunnel> {
  return pulumi.all([stack.name, stack.getOutput(output)]).apply(([name, value]) => {
    const missing = required.filter((key) => typeof (value as Record<string, unknown> | undefined)?.[key] !== "string");
    if (missing.length === 0) return value as PublishedTunnel;
    const what =
      value === undefined
        ? `has no output "${output}"`
        : `has an output "${output}" that is no published tunnel: ${missing.join(", ")} missing`;
    throw new pulumi.RunError(
      `Stack ${name} ${what}. Export publishedTunnel(tunnel) there and run "pulumi up" on it. [tunnel-not-published]`,
    );
  });
}

const required = ["frontdoorId", "tunnelId", "nlbDnsName"] as const satisfies (keyof PublishedTunnel)[];
