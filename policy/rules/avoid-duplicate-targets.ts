import { z } from "zod";
import { targetOf } from "../hosts";
import { text } from "../known";
import { placedShares } from "../resources";
import { stackRule } from "../rule";

export const avoidDuplicateTargets = stackRule(
  {
    name: "avoid-duplicate-targets",
    topic: "Services",
    description: "A target must be published once per tunnel and environment.",
    reason:
      "The second share is most often a copied one whose target was not changed. If it is meant, it doubles what has to be closed when the service moves or is attacked.",
    fix: "correct the target, or use the share that is there.",
    unknowns:
      "A share whose target or environment is unknown is passed over; with perTunnel also one whose tunnel cannot be told. Two spellings of one name or address are one target, a name and the address that it leads to are two, and so is one environment under two ids.",
    severity: "medium",
    settings: {
      perTunnel: z
        .boolean()
        .default(true)
        .describe("Let shares of different tunnels have the same target, as where several sites use one service."),
    },
    baseline: "mandatory",
    strict: { enforcementLevel: "mandatory" },
  },
  (resources, { perTunnel }, report) => {
    const published = new Map<string, string>();
    for (const { share, place } of placedShares(resources)) {
      const environment = text(share.props, "envZId") ?? text(share.props, "envId");
      // Read apart into host and port, so that letter case and spelling of an address make no difference.
      const target = targetOf(share.props);
      if (environment === undefined || !target || (perTunnel && place === undefined)) continue;
      const service = JSON.stringify([environment, target.host, target.port, perTunnel && place]);
      const first = published.get(service);
      if (first === undefined) published.set(service, share.name);
      else report(`target and environment are the same as those of share "${first}".`, share);
    }
  },
);
