import { z } from "zod";
import { targetOf } from "../hosts";
import { text } from "../known";
import { placedShares } from "../resources";
import { stackRule } from "../rule";

export const avoidDuplicateTargets = stackRule(
  {
    name: "avoid-duplicate-targets",
    topic: "Services",
    description: "A target must be published only once per tunnel and environment.",
    reason:
      "The second share is often a copy whose target nobody changed. If it is intended, you have to close two shares when the service moves or is attacked.",
    fix: "correct the target, or use the existing share.",
    unknowns:
      "The policy skips a share whose target or environment is unknown. With perTunnel it also skips a share whose tunnel it cannot determine. Two spellings of one name or address are one target. A name and its address are two targets, and one environment under two ids is two environments.",
    severity: "medium",
    settings: {
      perTunnel: z
        .boolean()
        .default(true)
        .describe(
          "If true, shares of different tunnels may have the same target, for example if several sites use one service.",
        ),
    },
    baseline: "mandatory",
    strict: { enforcementLevel: "mandatory" },
  },
  (resources, { perTunnel }, report) => {
    const published = new Map<string, string>();
    for (const { share, place } of placedShares(resources)) {
      const environment = text(share.props, "envZId") ?? text(share.props, "envId");
      // Parsed into host and port, so letter case and the spelling of an address make no difference.
      const target = targetOf(share.props);
      if (environment === undefined || !target || (perTunnel && place === undefined)) continue;
      const service = JSON.stringify([environment, target.host, target.port, perTunnel && place]);
      const first = published.get(service);
      if (first === undefined) published.set(service, share.name);
      else report(`target and environment are the same as those of share "${first}".`, share);
    }
  },
);
