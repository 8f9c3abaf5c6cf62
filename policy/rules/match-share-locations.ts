import { sameSpelling } from "../../provider/fields/values";
import { text } from "../known";
import { placedShares } from "../resources";
import { stackRule } from "../rule";

export const matchShareLocations = stackRule(
  {
    name: "match-share-locations",
    topic: "Life cycle",
    description: "A share must be in the location of its tunnel.",
    reason:
      "A share listens on its tunnel's load balancer. We assume that a share in another location fails to deploy, or that its traffic takes a detour.",
    fix: "set the share's locationId to the location of its tunnel (locationId: tunnel.locationId).",
    unknowns: "The policy skips a location that is unknown or omitted, and a share whose tunnel is in another stack.",
    severity: "medium",
    settings: {},
    baseline: "mandatory",
    strict: { enforcementLevel: "mandatory" },
  },
  (resources, _settings, report) => {
    for (const { share, tunnel } of placedShares(resources)) {
      const ours = text(share.props, "locationId");
      const theirs = tunnel && text(tunnel.props, "locationId");
      if (tunnel && ours !== undefined && theirs !== undefined && !sameSpelling(ours, theirs))
        report(`locationId is not the location of its tunnel "${tunnel.name}".`, share);
    }
  },
);
