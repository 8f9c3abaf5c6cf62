import { isInProduction } from "../names";
import { resourceRule } from "../rule";
import { production, strictProduction } from "../settings";

export const protectProductionTunnels = resourceRule(
  {
    name: "protect-production-tunnels",
    topic: "Life cycle",
    description: "Tunnels of production stacks must be protected.",
    reason:
      "Every change of a tunnel replaces it: a new key, a new address, and the remote site cut off until someone there has changed its device. `protect` makes a delete or a replacement stop at the preview.",
    fix: "add protect: true to the tunnel's options; take it away in a change of its own when the tunnel is to go.",
    unknowns:
      "Options are always known. Which stacks are production is told by their names alone: in the preset `strict` all are but those that otherStacks names; elsewhere one with a name of its own has to be added.",
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
