import type { PolicyResource } from "@pulumi/policy";
import { z } from "zod";
import { mostShares } from "../../provider/fields/values";
import { placedShares } from "../resources";
import { stackRule } from "../rule";

export const limitSharesPerTunnel = stackRule(
  {
    name: "limit-shares-per-tunnel",
    topic: "Life cycle",
    description: "A tunnel must not carry too many shares.",
    reason:
      "A tunnel is one load balancer and one VPN connection, so all its shares fail together. A delete or a replacement of the tunnel waits for every share.",
    fix: "spread the shares over several tunnels, or raise maxShares.",
    unknowns:
      "The policy counts single shares and the shares of sets together. A new tunnel has no id yet. The policy then finds it by the resource that ipsecTunnelId depends on. It does not count a share whose tunnel it cannot determine, or the shares of other stacks.",
    severity: "low",
    settings: {
      maxShares: z
        .int()
        .min(1)
        .default(mostShares)
        .describe("Largest number of shares on a tunnel. The default is the size of the largest IpsecShareSet."),
    },
    baseline: "mandatory",
    strict: { enforcementLevel: "mandatory", maxShares: 50 },
  },
  (resources, { maxShares }, report) => {
    const carried = new Map<string, { count: number; carrier: PolicyResource }>();
    for (const { share, tunnel, place } of placedShares(resources)) {
      if (place === undefined) continue;
      const { count, carrier } = carried.get(place) ?? { count: 0, carrier: tunnel ?? share };
      carried.set(place, { count: count + 1, carrier });
    }
    for (const { count, carrier } of carried.values()) {
      if (count > maxShares) report(`${count} shares are on one tunnel. At most ${maxShares} are allowed.`, carrier);
    }
  },
);
