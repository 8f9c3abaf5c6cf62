import { isOwn, targetOf } from "../hosts";
import { resourceRule } from "../rule";

export const refuseMetadataTargets = resourceRule(
  {
    name: "refuse-metadata-targets",
    topic: "Services",
    description: "A share must not publish its agent's own machine, metadata service or cluster API.",
    reason:
      "The hosting agent connects to the target from where it stands. On its loopback, its link, the metadata service of its cloud and the API of its cluster answer what trusts the agent itself: whoever reaches one through a share acts with the agent's credentials.",
    fix: "publish the service by the address it has on its network; a service on the agent's own machine by that machine's address.",
    unknowns:
      "An unknown target is passed over until it is known. No setting opens such a target; an exception, with a reason and a last day, excuses one share. Names are not looked up: a name of your own that leads to such an address is not seen, nor are a cluster's API by its address and a metadata service that has been given another one.",
    severity: "critical",
    settings: {},
    baseline: "mandatory",
    strict: { enforcementLevel: "mandatory" },
    sources: [
      {
        title: "RFC 3927",
        url: "https://www.rfc-editor.org/rfc/rfc3927",
        says: "IPv4 link-local space, where most clouds have their metadata service (169.254.169.254)",
      },
      { title: "RFC 6761", url: "https://www.rfc-editor.org/rfc/rfc6761", says: "`localhost` and what lies under it" },
    ],
  },
  "share",
  ({ props }, _settings, report) => {
    const host = targetOf(props)?.host;
    if (host !== undefined && isOwn(host))
      report("target is the agent's own machine, a metadata service or the API of a cluster.");
  },
);
