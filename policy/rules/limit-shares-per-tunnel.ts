import type { PolicyResource } from "@pulumi/policy";
import { z } from "zod";
import { placedShares } from "../resources";
import { stackRule } from "../rule";

export const limitSharesPerTunnel = stackRule(
  {
    name: "limit-shares-per-tunnel",
    topic: "Life cycle",
    description: "A tunnel must not carry too many shares.",
    reason:
      "A tunnel is one load balancer and one VPN connection: all its shares fail together, and deleting or replacing it waits for every one of them.",
    fix: "spread the shares over several tunnels, or raise maxShares.",
    unknowns:
      "Tunnels that do not exist yet are told apart by what ipsecTunnelId depends on. A share whose tunnel cannot be told is not counted, nor are those of other stacks.",
    severity: "low",
    settings: { maxShares: z.int().min(1).default(100).describe("Most shares a tunnel may carry.") },
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
      if (count > maxShares) report(`${count} shares are on one tunnel; at most ${maxShares} may be.`, carrier);
    }
  },
);
