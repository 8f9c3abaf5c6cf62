import { isInProduction } from "../names";
import { resourceRule } from "../rule";
import { production, strictProduction } from "../settings";

export const protectProductionTunnels = resourceRule(
  {
    name: "protect-production-tunnels",
    topic: "Life cycle",
    description: "Tunnels of production stacks must be protected.",
    reason:
      "Every change of a tunnel replaces it: it gets a new key and a new address. The remote site is cut off until someone there changes its device. With `protect`, a delete or a replacement fails in the preview.",
    fix: "add protect: true to the tunnel's options. Before you delete the tunnel, remove this option in a separate change.",
    unknowns:
      "Options are always known. The policy knows production stacks only by their names. In the preset `strict`, all stacks are production except those in otherStacks. Otherwise add a production stack with an unusual name to productionStacks.",
    severity: "high",
    settings: production,
    baseline: "mandatory",
    strict: { enforcementLevel: "mandatory", ...strictProduction },
  },
  "tunnel",
  ({ urn, opts }, settings, report) => {
    if (isInProduction(urn, settings) && !opts.protect) report("It is in a production stack and not protected.");
  },
);
